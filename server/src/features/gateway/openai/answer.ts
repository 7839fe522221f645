import type { Refusal } from '../../../errors.ts';
import type { GatewayAnswer } from '../../../platform/http/serve-gateway.ts';
import type { Captions } from '../../../platform/listening/engine.ts';
import { transcriptOf, writeSrt, writeVtt } from '../../caption/public.ts';
import type { TranscriptionOptions } from './request.ts';
import { WrongParameter } from './request.ts';
import { inSeconds, englishLanguageName, segmentFields } from './segment-fields.ts';

export const json = (status: number, value: object): GatewayAnswer => ({
  status,
  type: 'application/json; charset=utf-8',
  text: JSON.stringify(value),
});

/** The formats of subtitles, for both APIs. */
export const subtitles = (captions: Captions, format: 'srt' | 'vtt'): GatewayAnswer =>
  format === 'srt'
    ? { status: 200, type: 'application/x-subrip; charset=utf-8', text: writeSrt(captions) }
    : { status: 200, type: 'text/vtt; charset=utf-8', text: writeVtt(captions, { marksDoubt: false }) };

/** The response of the API of OpenAI. */
export function answerTranscription(
  captions: Captions,
  { format, hasSegments, hasWords }: TranscriptionOptions,
): GatewayAnswer {
  if (format === 'srt' || format === 'vtt') return subtitles(captions, format);
  const text = transcriptOf(captions.segments);
  if (format === 'text') return { status: 200, text: `${text}\n` };
  if (format === 'json') return json(200, { text });
  const words = captions.segments.flatMap((segment) =>
    segment.words.map((word) => ({ word: word.text, start: inSeconds(word.startMs), end: inSeconds(word.endMs) })),
  );
  return json(200, {
    task: 'transcribe',
    language: englishLanguageName(captions.language),
    duration: inSeconds(captions.soundMs),
    text,
    ...(hasSegments ? { segments: captions.segments.map(segmentFields) } : {}),
    ...(hasWords ? { words } : {}),
  });
}

const errorKinds: Readonly<Record<number, { readonly type: string; readonly code: string | null }>> = {
  401: { type: 'invalid_request_error', code: 'invalid_api_key' },
  403: { type: 'invalid_request_error', code: 'insufficient_permissions' },
  429: { type: 'requests', code: 'rate_limit_exceeded' },
  500: { type: 'server_error', code: null },
  503: { type: 'server_error', code: null },
};

/** Errors in the shape of that API. */
export function refuseTranscription({ status, message, cause }: Refusal): GatewayAnswer {
  const { type, code } = errorKinds[status] ?? { type: 'invalid_request_error', code: null };
  const param = cause instanceof WrongParameter ? cause.parameter : null;
  return json(status, { error: { message, type, param, code } });
}
