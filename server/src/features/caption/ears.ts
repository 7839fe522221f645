import type { CaptionEngineKind, CaptionSettings } from '../../platform/listening/caption-engine.ts';
import { captionEngineKinds, createCaptionEngine } from '../../platform/listening/caption-engine.ts';
import type { CaptionEngine, LabelEngine, Listening, Sound, Word } from '../../platform/listening/engine.ts';
import type { Log } from '../../platform/log.ts';

/** A word whose time in the sound is to be found; where it was thought to be, if anywhere. */
export interface WordToPlace {
  readonly text: string;
  readonly startMs?: number | undefined;
  readonly endMs?: number | undefined;
}

/** Finds the time of each word in the sound. AT THE MERGE: the one of platform/listening/engine.ts. */
export interface WordAligner {
  align(sound: Sound, words: readonly WordToPlace[], listening: Listening): Promise<readonly Word[]>;
}

/** All that a worker listens with. */
export interface Ears {
  readonly captions: CaptionEngine;
  /** Another engine than the usual one, by its kind. */
  readonly findEngine: (kind: string) => CaptionEngine | undefined;
  readonly labels?: LabelEngine | undefined;
  readonly aligner?: WordAligner | undefined;
  close(): Promise<void>;
}

export type CaptionConfig = Omit<CaptionSettings, 'kind'> & { readonly kind: CaptionEngineKind | 'none' };

const embeddedKinds: ReadonlySet<CaptionEngineKind> = new Set(['moonshine', 'whisper']);

/** The engines that can be asked for: the configured one, and those that need nothing but this machine. */
export const usableKinds = ({ kind }: CaptionConfig): readonly string[] =>
  kind === 'none' ? [] : captionEngineKinds.filter((known) => known === kind || embeddedKinds.has(known));

/** Undefined where captions are switched off. Nothing is started or fetched before it is needed. */
export function openEars(config: CaptionConfig, log: Log): Ears | undefined {
  const { kind } = config;
  if (kind === 'none') return undefined;
  const usable = usableKinds(config);
  const opened = new Map<string, CaptionEngine>();
  const open = (name: CaptionEngineKind): CaptionEngine => {
    const engine = opened.get(name) ?? createCaptionEngine({ ...config, kind: name }, log);
    opened.set(name, engine);
    return engine;
  };
  return {
    captions: open(kind),
    findEngine: (name) => (usable.includes(name) ? open(name as CaptionEngineKind) : undefined),
    // AT THE MERGE: labels: createLabelEngine(…), aligner: createWordAligner(…)
    async close() {
      await Promise.all([...opened.values()].map((engine) => engine.close()));
    },
  };
}

/** Fetches and checks all that captioning needs. */
export async function prepareEars({ captions, labels }: Ears, signal: AbortSignal): Promise<void> {
  await captions.prepare(signal);
  await labels?.prepare(signal);
}
