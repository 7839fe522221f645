import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The tokens of Whisper that are not text, and other facts of its generation settings. */
export interface ControlTokens {
  /** The language of each language token. */
  readonly languages: ReadonlyMap<number, string>;
  /** The token of each language. */
  readonly languageTokens: ReadonlyMap<string, number>;
  readonly transcribe: number;
  readonly noTimes: number;
  readonly start: number;
  readonly end: number;
  /** Tokens that are never spoken; at the beginning, the end token too. */
  readonly never: readonly number[];
  readonly neverFirst: readonly number[];
  /** Layer and head of the attention that follows the sound. */
  readonly alignmentHeads: readonly AlignmentHead[];
}

export type AlignmentHead = readonly [layer: number, head: number];

interface GenerationSettings {
  readonly alignment_heads: [number, number][];
  readonly begin_suppress_tokens: number[];
  readonly suppress_tokens: number[];
  readonly lang_to_id: Record<string, number>;
  readonly task_to_id: { readonly transcribe: number };
  readonly decoder_start_token_id: number;
  readonly eos_token_id: number;
  readonly no_timestamps_token_id: number;
}

export async function loadControlTokens(folder: string): Promise<ControlTokens> {
  const settings = JSON.parse(await readFile(join(folder, 'generation_config.json'), 'utf8')) as GenerationSettings;
  const languages = Object.entries(settings.lang_to_id).map(([mark, id]) => [id, mark.replace(/[<|>]/g, '')] as const);
  return {
    languages: new Map(languages),
    languageTokens: new Map(languages.map(([id, language]) => [language, id])),
    transcribe: settings.task_to_id.transcribe,
    noTimes: settings.no_timestamps_token_id,
    start: settings.decoder_start_token_id,
    end: settings.eos_token_id,
    never: settings.suppress_tokens,
    neverFirst: settings.begin_suppress_tokens,
    alignmentHeads: settings.alignment_heads,
  };
}
