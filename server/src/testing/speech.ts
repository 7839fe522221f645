import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordedSpeech } from '../../../scripts/parts.mjs';
import type { Sound } from '../platform/listening/engine.ts';
import { sampleRate } from '../platform/listening/engine.ts';
import type { ModelStore } from '../platform/listening/models/model-store.ts';
import { createModelStore } from '../platform/listening/models/model-store.ts';
import { silentLog } from './log.ts';

/*
 * Speech for tests, which say `needs('speech')`: recordings and synthetic voices from Debian's packages.
 */

export const testModelFolder = fileURLToPath(new URL('../../../node_modules/.cache/earshot-models', import.meta.url));

/** The real models, fetched once for all runs of the tests in this checkout. */
export const openTestModels = (): ModelStore =>
  createModelStore({ folder: testModelFolder, log: silentLog, mayFetch: true });

export interface Recording {
  /** Lower case, without punctuation. */
  readonly words: readonly string[];
  readonly samples: Float32Array;
}

/** A woman reads sentences of Jane Austen. */
export function readRecordings(): Recording[] {
  const lines = readFileSync(join(recordedSpeech, 'transcription'), 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [, words = '', name = ''] = /<s> (.*) <\/s> \((.*)\)/.exec(line) ?? [];
    return { words: words.trim().split(/\s+/), samples: readWav(readFileSync(join(recordedSpeech, `${name}.wav`))) };
  });
}

/** Any language, by a synthetic voice. */
export function speak(language: string, text: string): Float32Array {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-voice-'));
  try {
    const path = join(folder, 'voice.wav');
    execFileSync('espeak-ng', ['-v', language, '-s', '150', '-w', path, text]);
    return readWav(readFileSync(path));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** 16-bit mono, at any rate. */
export function readWav(bytes: Buffer): Float32Array {
  const rate = bytes.readUInt32LE(24);
  const start = bytes.indexOf('data') + 8;
  const samples = Float32Array.from({ length: (bytes.length - start) >> 1 }, (_, at) => {
    return bytes.readInt16LE(start + 2 * at) / 32_768;
  });
  if (rate === sampleRate) return samples;
  return Float32Array.from({ length: Math.floor((samples.length * sampleRate) / rate) }, (_, at) => {
    const exact = (at * rate) / sampleRate;
    const before = Math.floor(exact);
    const share = exact - before;
    return samples[before]! * (1 - share) + (samples[before + 1] ?? 0) * share;
  });
}

export const silence = (seconds: number): Float32Array => new Float32Array(Math.round(seconds * sampleRate));

/** The same every time. */
export function noise(seconds: number, level = 0.2): Float32Array {
  let state = 1;
  return silence(seconds).map(() => {
    state = (state * 48_271) % 2_147_483_647;
    return level * ((2 * state) / 2_147_483_647 - 1);
  });
}

export function joinSound(...parts: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** As an engine receives it, in chunks of odd sizes. */
export async function* asSound(samples: Float32Array, chunk = 7_001): Sound {
  for (let at = 0; at < samples.length; at += chunk) yield samples.slice(at, at + chunk);
}
