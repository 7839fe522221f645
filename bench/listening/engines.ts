import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { EmbeddedEngine } from '@earshot/server/platform/listening/embedded-engine';
import { createEmbeddedEngine } from '@earshot/server/platform/listening/embedded-engine';
import type { ModelStore } from '@earshot/server/platform/listening/models/model-store';
import { silentLog } from '@earshot/server/testing/log';
import type { ProfileName } from './goals.ts';
import type { Listener } from './listener.ts';
import { createListener } from './listener.ts';
import type { Options } from './options.ts';

/** An engine that is measured, and its name in the tables. */
export interface MeasuredEngine {
  readonly title: string;
  readonly engine: EmbeddedEngine;
  readonly listener: Listener;
}

export interface EnginesOfProfile {
  /** As it is by default on a device that is not for radio, and the same of the other checkout. */
  readonly usual: readonly MeasuredEngine[];
  /** As it is by default on a device for radio, and the same of the other checkout, which has no such default. */
  readonly radio: readonly MeasuredEngine[];
  /** As it is by default, and where English is set as the only spoken language. */
  readonly accents: readonly MeasuredEngine[];
  readonly all: readonly MeasuredEngine[];
  close(): Promise<void>;
}

const never = new AbortController().signal;

/** Every engine has processes of its own. The other checkout has no third listen, as by default then. */
export async function openProfile(
  profile: ProfileName,
  models: ModelStore,
  { third, against }: Pick<Options, 'third' | 'against'>,
): Promise<EnginesOfProfile> {
  const open = (title: string, create: typeof createEmbeddedEngine, isThird: boolean): MeasuredEngine => {
    const engine = create({ profile, models, log: silentLog, thirdListen: isThird ? 'all' : undefined });
    return { title, engine, listener: createListener(engine) };
  };
  const before = against === undefined ? [] : [open('before', await importFrom(against), false)];
  const plain = open('now', createEmbeddedEngine, third);
  const isOther = profile === 'moonshine' && !third;
  const withThird = isOther ? open('now, third listen', createEmbeddedEngine, true) : plain;
  const all = [...new Set([...before, plain, withThird])];
  for (const { engine } of all) await engine.prepare(never);
  const english = { ...plain, title: 'now, English set', listener: createListener(plain.engine, ['en']) };
  return {
    usual: [...before, plain],
    accents: [...before, plain, english],
    radio: [...before, withThird],
    all,
    close: async () => void (await Promise.all(all.map(({ engine }) => engine.close()))),
  };
}

/** Other versions have the same interface as far as the bench uses it. */
async function importFrom(folder: string): Promise<typeof createEmbeddedEngine> {
  const path = join(folder, 'server/src/platform/listening/embedded-engine.ts');
  const module = (await import(pathToFileURL(path).href)) as { createEmbeddedEngine: typeof createEmbeddedEngine };
  return module.createEmbeddedEngine;
}
