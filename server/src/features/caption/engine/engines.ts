import type { CaptionProfile } from '@earshot/contract/caption-profile';
import { captionProfiles } from '@earshot/contract/caption-profile';
import type { CaptionEngineKind, CaptionSettings } from '../../../platform/listening/caption-engine.ts';
import { captionEngineKinds, createCaptionEngine } from '../../../platform/listening/caption-engine.ts';
import { createWordAligner } from '../../../platform/listening/embedded-engine.ts';
import type { CaptionEngine, LabelEngine, SpeechMeter, WordAligner } from '../../../platform/listening/engine.ts';
import { createLabelEngine } from '../../../platform/listening/label-engine.ts';
import { createModelStore } from '../../../platform/listening/models/model-store.ts';
import type { Log } from '../../../platform/log.ts';
import type { Pace } from '../transcribe/transcribe-clip.ts';

/** All engines that a worker uses. */
export interface SpeechEngines {
  readonly captions: CaptionEngine;
  /** Finds an engine other than the default one by its name. */
  readonly findEngine: (name: string) => CaptionEngine | undefined;
  readonly labels?: LabelEngine | undefined;
  readonly aligner?: WordAligner | undefined;
  /** Measures speech in clips that are not captioned; undefined: that stays unknown. */
  readonly speech?: SpeechMeter | undefined;
  close(): Promise<void>;
}

export type CaptionConfig = Omit<CaptionSettings, 'kind'> & {
  readonly kind: CaptionEngineKind | 'none';
  readonly pace?: Pace | undefined;
};

/** The engines on this machine. People may also use the names of their models. */
const profileKinds: Readonly<Record<CaptionProfile, CaptionEngineKind>> = { fast: 'moonshine', accurate: 'whisper' };
const embeddedKinds: ReadonlySet<CaptionEngineKind> = new Set(Object.values(profileKinds));

/** All names of engines, as in the settings. */
export const engineNames = [...captionProfiles, ...captionEngineKinds] as const;
export const kindOf = (name: (typeof engineNames)[number]): CaptionEngineKind =>
  name === 'fast' || name === 'accurate' ? profileKinds[name] : name;

/** The engines that a request may name: the configured one, and those that run on this machine alone. */
export const usableEngines = ({ kind }: CaptionConfig): readonly string[] =>
  kind === 'none' ? [] : engineNames.filter((name) => kindOf(name) === kind || embeddedKinds.has(kindOf(name)));

/** Undefined if captions are switched off. Engines are started and models downloaded when they are first needed. */
export function openEngines(config: CaptionConfig, log: Log): SpeechEngines | undefined {
  const { kind } = config;
  if (kind === 'none') return undefined;
  const usable = usableEngines(config);
  const opened = new Map<string, CaptionEngine>();
  const open = (name: CaptionEngineKind): CaptionEngine => {
    const engine = opened.get(name) ?? createCaptionEngine({ ...config, kind: name }, log);
    opened.set(name, engine);
    return engine;
  };
  const models = createModelStore({ folder: config.modelFolder, mayFetch: config.mayFetchModels, log });
  const labels = createLabelEngine({ models, atOnce: config.atOnce }, log);
  const aligner = createWordAligner({ models, log });
  return {
    captions: open(kind),
    findEngine: (name) => {
      const known = engineNames.find((one) => one === name);
      return known && usable.includes(known) ? open(kindOf(known)) : undefined;
    },
    labels,
    aligner,
    async close() {
      await Promise.all([...opened.values(), labels, aligner].map((engine) => engine.close()));
    },
  };
}

/** Downloads and checks everything that captioning needs. */
export async function prepareEngines({ captions, labels }: SpeechEngines, signal: AbortSignal): Promise<void> {
  await captions.prepare(signal);
  await labels?.prepare(signal);
}
