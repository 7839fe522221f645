import { transcribeAsOpenAI } from '@earshot/contract/gateway';
import { forbidden, Refusal } from '../../errors.ts';
import type { Feature } from '../../feature.ts';
import type { GatewayAnswer, GatewayCall } from '../../platform/http/serve-gateway.ts';
import { serveGateway } from '../../platform/http/serve-gateway.ts';
import { MediaError } from '../../platform/media/media-error.ts';
import { probeSound } from '../../platform/media/probe-sound.ts';
import type { ReceivedUpload } from '../../platform/uploads/receive-upload.ts';
import { receiveUpload } from '../../platform/uploads/receive-upload.ts';
import type { Transcriber } from '../caption/public.ts';
import { createTranscriber } from '../caption/public.ts';
import type { RecorderUploadParts } from '../recorder-upload/public.ts';
import { recorderUploadParts } from '../recorder-upload/public.ts';
import type { AcceptedKey } from '../upload-key/public.ts';
import { useTranscription } from '../upload-key/public.ts';
import { answerTranscription, refuseTranscription } from './answer.ts';
import { readOptions, WrongParameter } from './request.ts';

const longestMs = 4 * 3_600_000;
/** The key is in a header, so no part of the form is one. */
const names = { key: '', sound: 'file' };

/** Transcribes for programs that call the API of OpenAI. */
export const openAIGateway: Feature = {
  routes(http, allParts) {
    const { media, listening, config } = allParts;
    const parts = recorderUploadParts(allParts);
    const transcriber = createTranscriber({ media, listening, config: config.captions });
    serveGateway(http, transcribeAsOpenAI, {
      handle: (call) =>
        receiveUpload(parts, call, names, (upload) => transcribe(parts, transcriber, call, upload), bearerOf(call)),
      refuse: refuseTranscription,
    });
  },
};

const bearerOf = ({ authorization }: GatewayCall): string =>
  /^bearer\s+(\S+)\s*$/i.exec(authorization ?? '')?.[1] ?? '';

async function transcribe(
  parts: RecorderUploadParts,
  transcriber: Transcriber,
  call: GatewayCall,
  { key, texts, sound }: ReceivedUpload<AcceptedKey>,
): Promise<GatewayAnswer> {
  if (!key.transcribe) throw forbidden('This upload key may not transcribe. Its owner can permit it.');
  try {
    const options = readOptions(texts, transcriber.engines);
    if (!sound || sound.size === 0) throw new WrongParameter('file', 'The part file is missing or empty.');
    const signal = call.hungUp;
    const durationMs = await lengthOf(parts, sound.path, key, signal);
    await useTranscription(parts.keys, key, durationMs);
    const captions = await transcriber.transcribe({
      path: sound.path,
      ownerID: key.userID,
      engine: options.engine,
      signal,
    });
    return answerTranscription(captions, options);
  } catch (error) {
    if (error instanceof WrongParameter) throw new Refusal('invalid', error.message, { cause: error });
    if (call.hungUp.aborted) throw new Refusal('invalid', 'The caller closed the connection.', { cause: error });
    throw error;
  }
}

async function lengthOf(
  { media }: RecorderUploadParts,
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
