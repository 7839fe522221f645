import { transcriptionFormats } from '@earshot/contract/transcription-gateway';

/** A parameter that is wrong, as the API of OpenAI reports it. */
export class WrongParameter extends Error {
  readonly parameter: string;
  constructor(parameter: string, message: string) {
    super(message);
    this.parameter = parameter;
  }
}

export type TranscriptionFormat = (typeof transcriptionFormats)[number];

export interface TranscriptionOptions {
  /** Undefined: the default engine. */
  readonly engine: string | undefined;
  readonly format: TranscriptionFormat;
  readonly hasSegments: boolean;
  readonly hasWords: boolean;
  readonly prompt: string;
  readonly isStream: boolean;
}

/** The texts of a form, by name. */
export type FormTexts = ReadonlyMap<string, readonly string[]>;

const firstOf = (fields: FormTexts, name: string): string => fields.get(name)?.[0]?.trim() ?? '';

/**
 * Reads what is asked. All other parameters are hints for engines of other kinds and are ignored: a program that sends
 * them by default expects a transcript, not their effect.
 */
export function readOptions(fields: FormTexts, engines: readonly string[]): TranscriptionOptions {
  const format = firstOf(fields, 'response_format').toLowerCase() || 'json';
  if (!isFormat(format)) {
    throw new WrongParameter('response_format', `response_format must be one of ${transcriptionFormats.join(', ')}.`);
  }
  const granularities = new Set(
    ['timestamp_granularities[]', 'timestamp_granularities'].flatMap((name) =>
      (fields.get(name) ?? []).flatMap((value) => value.split(/[^a-z]+/i)),
    ),
  );
  const hasWords = granularities.has('word');
  return {
    ...readHints(fields, engines),
    format,
    hasSegments: !hasWords || granularities.has('segment'),
    hasWords,
    isStream: ['true', '1'].includes(firstOf(fields, 'stream').toLowerCase()),
  };
}

/** The same for the server of whisper.cpp, which takes an unknown format for `json`, has all times, and no streams. */
export function readInferenceOptions(fields: FormTexts, engines: readonly string[]): TranscriptionOptions {
  const format = firstOf(fields, 'response_format');
  return {
    ...readHints(fields, engines),
    format: isFormat(format) ? format : 'json',
    hasSegments: true,
    hasWords: true,
    isStream: false,
  };
}

const readHints = (fields: FormTexts, engines: readonly string[]) => ({
  engine: engines.find((name) => name === firstOf(fields, 'model')),
  prompt: firstOf(fields, 'prompt'),
});

const isFormat = (text: string): text is TranscriptionFormat =>
  (transcriptionFormats as readonly string[]).includes(text);
