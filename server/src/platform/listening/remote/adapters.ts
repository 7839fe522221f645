import { FormData } from 'undici';
import type { RemoteCall } from './call.ts';
import { tagLanguage } from './languages.ts';
import type { RemoteTranscript } from './transcript.ts';
import { asFields, asList, asNumber, asText, spreadWords } from './transcript.ts';
import { readVerboseJson } from './verbose-json.ts';

export const remoteKinds = ['openai', 'whisper.cpp', 'deepgram'] as const;
export type RemoteKind = (typeof remoteKinds)[number];

/** Builds the calls for one kind of server and reads its responses. */
export interface Adapter {
  readonly name: string;
  /** The default model. */
  readonly model: string;
  ask(wav: Buffer, model: string, key: string | undefined): RemoteCall;
  read(answer: unknown): RemoteTranscript;
}

const withFile = (wav: Buffer, fields: readonly (readonly [string, string])[]) => () => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(wav)], { type: 'audio/wav' }), 'clip.wav');
  for (const [name, value] of fields) form.append(name, value);
  return form;
};

const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };

export const adapters: Readonly<Record<RemoteKind, Adapter>> = {
  openai: {
    name: 'the OpenAI-compatible server',
    model: 'whisper-1',
    ask: (wav, model, key) => ({
      path: '/v1/audio/transcriptions',
      headers: bearer(key),
      body: withFile(wav, [
        ['model', model],
        ['response_format', 'verbose_json'],
        ['timestamp_granularities[]', 'segment'],
        ['timestamp_granularities[]', 'word'],
      ]),
    }),
    read: readVerboseJson,
  },
  'whisper.cpp': {
    name: 'the whisper.cpp server',
    model: 'whisper.cpp',
    ask: (wav, _model, key) => ({
      path: '/inference',
      headers: bearer(key),
      body: withFile(wav, [
        ['response_format', 'verbose_json'],
        ['language', 'auto'],
        ['no_language_probabilities', 'true'],
      ]),
    }),
    read: readVerboseJson,
  },
  deepgram: {
    name: 'Deepgram',
    model: 'nova-3',
    ask: (wav, model, key) => ({
      path: `/v1/listen?${new URLSearchParams({ model, smart_format: 'true', detect_language: 'true' }).toString()}`,
      headers: { 'content-type': 'audio/wav', ...(key === undefined ? {} : { authorization: `Token ${key}` }) },
      body: () => new Uint8Array(wav),
    }),
    read: readDeepgram,
  },
};

function readDeepgram(answer: unknown): RemoteTranscript {
  const { metadata, results } = asFields(answer);
  const channel = asList(asFields(results)['channels'])[0] ?? {};
  const best = asList(channel['alternatives'])[0] ?? {};
  const confidence = asNumber(best['confidence']) ?? 1;
  const words = asList(best['words']).map((word) => ({
    text: asText(word['punctuated_word']) || asText(word['word']),
    start: asNumber(word['start']) ?? 0,
    end: asNumber(word['end']) ?? 0,
    confidence: asNumber(word['confidence']) ?? confidence,
  }));
  const seconds = asNumber(asFields(metadata)['duration']) ?? 0;
  return {
    language: tagLanguage(asText(channel['detected_language'])),
    words: words.length > 0 ? words : spreadWords(asText(best['transcript']), 0, seconds, confidence),
    doubtful: [],
  };
}
