import type { Refusal } from '../../errors.ts';
import type { GatewayAnswer } from '../../platform/http/serve-gateway.ts';
import type { Captions } from '../../platform/listening/engine.ts';
import { subtitlesOf, textOf } from '../caption/public.ts';
import type { TranscriptionOptions } from './request.ts';
import { WrongParameter } from './request.ts';

const json = (status: number, value: object): GatewayAnswer => ({
  status,
  type: 'application/json; charset=utf-8',
  text: JSON.stringify(value),
});

const seconds = (ms: number): number => Math.round(ms) / 1000;

export function answerTranscription(
  captions: Captions,
  { format, granularities }: TranscriptionOptions,
): GatewayAnswer {
  if (format === 'srt' || format === 'vtt') {
    const type = format === 'srt' ? 'application/x-subrip; charset=utf-8' : 'text/vtt; charset=utf-8';
    return { status: 200, type, text: subtitlesOf(captions, format) };
  }
  const text = textOf(captions);
  if (format === 'text') return { status: 200, text: `${text}\n` };
  if (format === 'json') return json(200, { text });
  const segments = captions.segments.map((segment, id) => ({
    id,
    start: seconds(segment.startMs),
    end: seconds(segment.endMs),
    text: segment.text,
  }));
  const words = captions.segments.flatMap((segment) =>
    segment.words.map((word) => ({ word: word.text, start: seconds(word.startMs), end: seconds(word.endMs) })),
  );
  return json(200, {
    task: 'transcribe',
    language: languageName(captions.language),
    duration: seconds(captions.soundMs),
    text,
    ...(granularities.has('segment') ? { segments } : {}),
    ...(granularities.has('word') ? { words } : {}),
  });
}

/** That API names languages in English and in lower case. */
function languageName(tag: string | undefined): string {
  if (tag === undefined) return 'unknown';
  return (new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag).toLowerCase();
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
