import type { FormPart } from './curl-form.ts';
import { curlForm } from './curl-form.ts';

/* Requests for transcription as programs of others write them by default. */

export interface SentTranscription {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
}

const text = (name: string, value: string): FormPart => ({ name, value });

/** Go's `mime/multipart` writes the same bytes as libcurl, with a boundary of 60 hexadecimal digits. */
const goBoundary = '4ac1d3a8f06fb7d1c5e2b90a7e64f3182d5c9b0e7a1f8364c2d905be71a3';
const goHeaders = { 'user-agent': 'Go-http-client/1.1', 'accept-encoding': 'gzip' };
const goFile = (filename: string, value: Uint8Array): FormPart => ({
  name: 'file',
  value,
  filename,
  type: 'application/octet-stream',
});

function goRequest(key: string, parts: readonly FormPart[], headers: Readonly<Record<string, string>> = {}) {
  const form = curlForm(parts, goBoundary);
  return {
    path: '/v1/audio/transcriptions',
    headers: { ...goHeaders, ...headers, ...form.headers, authorization: `Bearer ${key}` },
    body: form.body,
  };
}

/**
 * trunk-reporter/tr-engine, commit 4e221cd, internal/transcribe/whisper.go, with the defaults of
 * internal/config/config.go: no model, temperature 0.1, language en.
 */
export const trEngineRequest = (key: string, sound: Uint8Array, more: readonly FormPart[] = []): SentTranscription =>
  goRequest(key, [
    goFile('4521-1794705000_851012500.0-call_17.wav', sound),
    text('language', 'en'),
    text('temperature', '0.10'),
    text('response_format', 'verbose_json'),
    text('timestamp_granularities[]', 'word'),
    ...more,
  ]);

/** The further fields of the same file, each of which an operator may set. */
export const trEngineSettings: readonly FormPart[] = [
  text('prompt', 'County fire dispatch. Units: Engine 51, Schuylkill Avenue.'),
  text('hotwords', 'Schuylkill,Okeechobee'),
  text('beam_size', '5'),
  text('repetition_penalty', '1.10'),
  text('no_repeat_ngram_size', '3'),
  text('condition_on_previous_text', 'false'),
  text('no_speech_threshold', '0.60'),
  text('hallucination_silence_threshold', '2.00'),
  text('max_new_tokens', '200'),
  text('vad_filter', 'true'),
];

/**
 * Thinline-Dynamic-Solutions/ThinLineRadio, commit 03fe6d2, server/transcription_whisper_api.go, as
 * server/transcription_queue.go calls it: a temperature is never set, a prompt if one is configured.
 */
export const thinLineRequest = (key: string, sound: Uint8Array, prompt = ''): SentTranscription =>
  goRequest(
    key,
    [
      goFile('audio.wav', sound),
      text('model', 'whisper-1'),
      text('language', 'en'),
      text('response_format', 'verbose_json'),
      text('timestamp_granularities[]', 'segment'),
      ...(prompt === '' ? [] : [text('prompt', prompt)]),
    ],
    { 'x-tlr-system': 'County', 'x-tlr-talkgroup': 'FIRE DISP', 'x-tlr-call-id': '17' },
  );

/** ggml-org/whisper.cpp, commit 233fe1f, examples/server/README.md: the request with curl, and the key. */
export function whisperCppRequest(key: string, sound: Uint8Array, format = 'json'): SentTranscription {
  const form = curlForm([
    { name: 'file', value: sound, filename: 'jfk.wav', type: 'audio/wav' },
    text('temperature', '0.0'),
    text('temperature_inc', '0.2'),
    text('prompt', '<prompt>'),
    text('carry_initial_prompt', 'true'),
    text('response_format', format),
  ]);
  return {
    path: '/inference',
    headers: { 'user-agent': 'curl/8.5.0', accept: '*/*', ...form.headers, authorization: `Bearer ${key}` },
    body: form.body,
  };
}
