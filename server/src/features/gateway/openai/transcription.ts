import { forbidden, Refusal } from '../../../errors.ts';
import type { GatewayAnswer, GatewayCall, GatewayStream } from '../../../platform/http/serve-gateway.ts';
import type { Captions } from '../../../platform/listening/engine.ts';
import { MediaError } from '../../../platform/media/media-error.ts';
import { probeSound } from '../../../platform/media/probe-sound.ts';
import type { ReceivedForm } from '../../../platform/recorder-form/receive-form.ts';
import { receiveForm } from '../../../platform/recorder-form/receive-form.ts';
import type { Transcriber } from '../../caption/public.ts';
import { transcriptOf } from '../../caption/public.ts';
import type { RecorderParts } from '../call/parts.ts';
import type { AcceptedKey } from '../../upload-key/public.ts';
import { useTranscription } from '../../upload-key/public.ts';
import type { FormTexts, TranscriptionOptions } from './request.ts';
import { WrongParameter } from './request.ts';
import type { SendEvent } from './stream.ts';
import { answerOrStream } from './stream.ts';

const longestMs = 4 * 3_600_000;
/** The key is in a header, so no part of the form is one. */
const names = { key: '', sound: 'file' };

/** What differs between the APIs. */
export interface TranscriptionApi {
  readonly readOptions: (fields: FormTexts, engines: readonly string[]) => TranscriptionOptions;
  readonly answer: (captions: Captions, options: TranscriptionOptions) => GatewayAnswer;
  readonly missingFile: string;
}

export const bearerOf = ({ authorization }: GatewayCall): string =>
  /^bearer\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1] ?? '';

export function requirePermission(key: AcceptedKey): void {
  if (!key.transcribe) throw forbidden('This upload key may not transcribe. Its owner can permit it.');
}

export const transcribeForm = (
  parts: RecorderParts,
  transcriber: Transcriber,
  api: TranscriptionApi,
  call: GatewayCall,
): Promise<GatewayAnswer | GatewayStream> =>
  answerOrStream((send) =>
    receiveForm(parts, call, names, (form) => transcribe(parts, transcriber, api, call, form, send), bearerOf(call)),
  );

async function transcribe(
  parts: RecorderParts,
  transcriber: Transcriber,
  { readOptions, answer, missingFile }: TranscriptionApi,
  { hungUp: signal }: GatewayCall,
  { key, texts, sound }: ReceivedForm<AcceptedKey>,
  send: SendEvent,
): Promise<GatewayAnswer | undefined> {
  requirePermission(key);
  try {
    const options = readOptions(texts, transcriber.engines);
    if (!sound || sound.size === 0) throw new WrongParameter('file', missingFile);
    const durationMs = await lengthOf(parts, sound.path, key, signal);
    await useTranscription(parts.keys, key, durationMs);
    const { engine, prompt, isStream } = options;
    const request = { path: sound.path, ownerID: key.userID, engine, prompt, signal };
    if (!isStream) return answer(await transcriber.transcribe(request), options);
    return await streamText(transcriber, request, send);
  } catch (error) {
    if (error instanceof WrongParameter) throw new Refusal('invalid', error.message, { cause: error });
    if (signal.aborted) throw new Refusal('invalid', 'The caller closed the connection.', { cause: error });
    throw error;
  }
}

/** Sends the text as it is found. All deltas together are the text. */
async function streamText(
  transcriber: Transcriber,
  request: Parameters<Transcriber['transcribe']>[0],
  send: SendEvent,
): Promise<undefined> {
  let sent = '';
  const sendDelta = (delta: string): void => {
    if (delta === '') return;
    sent += delta;
    send({ type: 'transcript.text.delta', delta });
  };
  const { segments } = await transcriber.transcribe({
    ...request,
    onPart: (part) => {
      const text = transcriptOf(part.segments);
      sendDelta(sent === '' || text === '' ? text : ` ${text}`);
    },
  });
  const text = transcriptOf(segments);
  // Remote engines give no parts.
  if (sent === '') sendDelta(text);
  send({ type: 'transcript.text.done', text });
}

async function lengthOf(
  { media }: RecorderParts,
  path: string,
  { userID }: AcceptedKey,
  signal: AbortSignal,
): Promise<number> {
  const facts = await probeSound(media, path, userID, signal).catch((error: unknown) => {
    if (error instanceof MediaError) throw new Refusal('tooLarge', `${error.message}.`);
    throw error;
  });
  if (!facts) throw new WrongParameter('file', 'The file is no sound in a supported format.');
  if (facts.durationMs > longestMs)
    throw new Refusal('tooLarge', 'The sound is longer than 4 hours; send it in parts.');
  return facts.durationMs;
}
