import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@earshot/client/client';
import { startTestServer } from '@earshot/server/testing/server';
import type { AudioClipFacts } from '@earshot/contract/clip-facts';
import { expect } from 'vitest';
import { sampleRate } from '../../../platform/listening/engine.ts';
import type { TestEars } from '../../caption/tests/test-engines.ts';
import { createTestEars } from '../../caption/tests/test-engines.ts';

/** Engines whose voice gate hears speech in half of the sound. */
export interface MeasuringEars extends TestEars {
  /** The lengths of the sounds that were measured, in milliseconds, in order. */
  readonly measured: number[];
  /** Called before each sound; may wait. */
  beforeSpeech: () => Promise<void> | void;
}

export function createMeasuringEars(): MeasuringEars {
  const measured: number[] = [];
  const ears: MeasuringEars = Object.defineProperties(createTestEars(), {
    measured: { value: measured },
    beforeSpeech: { value: () => {}, writable: true },
    speech: {
      value: {
        close: async () => {},
        async measureSpeech(sound: AsyncIterable<Float32Array>) {
          await ears.beforeSpeech();
          let samples = 0;
          for await (const chunk of sound) samples += chunk.length;
          const soundMs = Math.round((samples * 1000) / sampleRate);
          measured.push(soundMs);
          return soundMs / 2;
        },
      },
    },
  }) as MeasuringEars;
  return ears;
}

export const readFacts = (client: Client, audioClipID: number): Promise<AudioClipFacts> =>
  client.getClipFacts({ params: { audioClipID } });

/** The facts of a clip as soon as it is measured. */
export async function factsOf(client: Client, audioClipID: number): Promise<AudioClipFacts> {
  await expect.poll(async () => (await readFacts(client, audioClipID)).measuredDate).toBeDefined();
  return readFacts(client, audioClipID);
}

/** A server that looks often for clips to measure. Nodes that are added to it read the same store. */
export async function startMeasuring(engines: MeasuringEars) {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-measured-'));
  const storage = { url: pathToFileURL(folder).href, accessKey: '', secretKey: '' };
  const server = await startTestServer({ measureSeconds: 0.05, storage }, { engines });
  const stop = async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...server, stop };
}
