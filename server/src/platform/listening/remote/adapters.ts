import { FormData } from 'undici';
import type { RemoteCall } from './call.ts';
import type { RequestForm } from './forms.ts';
import { tagLanguage } from './languages.ts';
import type { RemoteTranscript } from './transcript.ts';
import { areTimesSound, asFields, asList, asNumber, asText } from './transcript.ts';
import { readVerboseJson } from './verbose-json.ts';

export const remoteKinds = ['openai', 'whisper.cpp', 'deepgram'] as const;
export type RemoteKind = (typeof remoteKinds)[number];

/** Builds the calls for one kind of server and reads its responses. */
export interface Adapter {
  readonly name: string;
  /** The default model. */
  readonly model: string;
  /** Whether it has a format without times and takes a prompt, as servers of Whisper do. */
  readonly hasForms: boolean;
  ask(wav: Buffer, account: RemoteAccount, form: RequestForm): RemoteCall;
  /** `seconds` is the length of the sound. */
  read(answer: unknown, seconds: number): RemoteTranscript;
}

export interface RemoteAccount {
  readonly model: string;
  readonly key: string | undefined;
}

const withFile = (wav: Buffer, fields: readonly FormField[]) => () => {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(wav)], { type: 'audio/wav' }), 'clip.wav');
  for (const [name, value] of fields) form.append(name, value);
  return form;
};

type FormField = readonly [string, string];

const wordTimes: readonly FormField[] = [
  ['timestamp_granularities[]', 'segment'],
  ['timestamp_granularities[]', 'word'],
];

const promptField = (prompt: string): readonly FormField[] => (prompt === '' ? [] : [['prompt', prompt]]);

const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };

export const adapters: Readonly<Record<RemoteKind, Adapter>> = {
  openai: {
    name: 'the OpenAI-compatible server',
    model: 'whisper-1',
    hasForms: true,
    ask: (wav, { model, key }, { format, prompt }) => ({
      path: '/v1/audio/transcriptions',
      headers: bearer(key),
      body: withFile(wav, [
        ['model', model],
        ['response_format', format],
        ...(format === 'json' ? [] : wordTimes),
        ...promptField(prompt),
      ]),
    }),
    read: readVerboseJson,
  },
  'whisper.cpp': {
    name: 'the whisper.cpp server',
    model: 'whisper.cpp',
    hasForms: true,
    ask: (wav, { key }, { format, prompt }) => ({
      path: '/inference',
      headers: bearer(key),
      body: withFile(wav, [
        ['response_format', format],
        ['language', 'auto'],
        ['no_language_probabilities', 'true'],
        ...promptField(prompt),
      ]),
    }),
    read: readVerboseJson,
  },
  deepgram: {
    name: 'Deepgram',
    model: 'nova-3',
    hasForms: false,
    ask: (wav, { model, key }) => ({
      path: `/v1/listen?${new URLSearchParams({ model, smart_format: 'true', detect_language: 'true' }).toString()}`,
      headers: { 'content-type': 'audio/wav', ...(key === undefined ? {} : { authorization: `Token ${key}` }) },
      body: () => new Uint8Array(wav),
    }),
    read: readDeepgram,
  },
};

function readDeepgram(answer: unknown, seconds: number): RemoteTranscript {
  const { results } = asFields(answer);
  const channel = asList(asFields(results)['channels'])[0] ?? {};
  const best = asList(channel['alternatives'])[0] ?? {};
  const confidence = asNumber(best['confidence']) ?? 1;
  const words = asList(best['words']).map((word) => ({
    text: asText(word['punctuated_word']) || asText(word['word']),
    start: asNumber(word['start']) ?? NaN,
    end: asNumber(word['end']) ?? NaN,
    confidence: asNumber(word['confidence']) ?? confidence,
  }));
  const whole = { start: 0, end: seconds };
  const language = tagLanguage(asText(channel['detected_language']));
  if (words.length > 0 && areTimesSound(words, whole)) return { language, words, untimed: [], doubtful: [] };
  const text = asText(best['transcript']).trim() || words.map((word) => word.text).join(' ');
  return { language, words: [], untimed: text === '' ? [] : [{ text, ...whole, confidence }], doubtful: [] };
}
