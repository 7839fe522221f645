import { transcriptionFormats } from '@earshot/contract/gateway';

/** A parameter that is wrong or cannot be honoured, as the API of OpenAI reports it. */
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
  readonly granularities: ReadonlySet<string>;
}

/** The name that programs send when they mean "your engine". */
const usualModel = 'whisper-1';
const supportedLanguages: ReadonlySet<string> = new Set(['en', 'english']);
const knownParameters: ReadonlySet<string> = new Set([
  'model',
  'response_format',
  'timestamp_granularities[]',
  'timestamp_granularities',
  'language',
  'temperature',
  'prompt',
  'stream',
]);

export function readOptions(
  fields: ReadonlyMap<string, readonly string[]>,
  engines: readonly string[],
): TranscriptionOptions {
  const one = (name: string): string | undefined => fields.get(name)?.[0]?.trim();
  for (const name of fields.keys()) {
    if (!knownParameters.has(name)) throw new WrongParameter(name, `This server does not know the parameter ${name}.`);
  }
  const model = one('model');
  if (!model) throw new WrongParameter('model', 'You must provide a model parameter.');
  if (model !== usualModel && !engines.includes(model)) {
    const known = [usualModel, ...engines].join(', ');
    throw new WrongParameter('model', `The model ${model} does not exist here. Those that do: ${known}.`);
  }
  const format = one('response_format') || 'json';
  if (!isFormat(format)) {
    throw new WrongParameter('response_format', `response_format must be one of ${transcriptionFormats.join(', ')}.`);
  }
  const language = one('language')?.toLowerCase();
  if (language && !supportedLanguages.has(language)) {
    throw new WrongParameter('language', 'This server transcribes English only: leave language out, or send en.');
  }
  if (Number(one('temperature') || 0) !== 0) {
    throw new WrongParameter('temperature', 'This server transcribes with a temperature of 0 only.');
  }
  if (one('prompt')) throw new WrongParameter('prompt', 'This server cannot use a prompt; leave it out.');
  if (!['', 'false', undefined].includes(one('stream'))) {
    throw new WrongParameter('stream', 'This server does not stream; leave stream out.');
  }
  const granularities = [
    ...(fields.get('timestamp_granularities[]') ?? []),
    ...(fields.get('timestamp_granularities') ?? []),
  ];
  const wrong = granularities.find((name) => name !== 'word' && name !== 'segment');
  if (wrong !== undefined) {
    throw new WrongParameter('timestamp_granularities', 'timestamp_granularities must be segment or word.');
  }
  if (granularities.length > 0 && format !== 'verbose_json') {
    throw new WrongParameter('timestamp_granularities', 'timestamp_granularities needs the format verbose_json.');
  }
  return {
    engine: model === usualModel ? undefined : model,
    format,
    granularities: new Set(granularities.length > 0 ? granularities : ['segment']),
  };
}

const isFormat = (text: string): text is TranscriptionFormat =>
  (transcriptionFormats as readonly string[]).includes(text);
