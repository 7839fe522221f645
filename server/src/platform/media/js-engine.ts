import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { execPath } from 'node:process';
import { buffer } from 'node:stream/consumers';

import { builtScript } from '../built-script.ts';
import type { ChildOptions } from './child.ts';
import { Child } from './child.ts';
import type { Engine } from './engine.ts';
import { extraIdleMsFor } from './engine.ts';
import type { JsAnswer, JsTask } from './js-protocol.ts';
import { slowAnalysisLimits } from './limits.ts';
import { unreadable } from './media-error.ts';
import type { SoundFacts, SoundFile } from './sound.ts';
import { contentTypes } from './sound.ts';

/**
 * Reads sound without ffmpeg, several times slower: npm's audio-decode in a separate process for each file. Its memory
 * stays constant, except for MP4 files whose table is at the end, which are read completely; those above 16 MB are
 * refused. 32-bit integer samples keep their upper 24 bits.
 */
export const jsEngine: Engine = {
  inspect: async (file, signal) => (await ask({ kind: 'inspect', file }, signal))?.shape,
  probe: measure,
  async *decode(file, _shape, { signal, limits, tap, ...request }) {
    const extraIdleMs = await extraIdleMsFor(file, request.fromFrame);
    const task: JsTask = { kind: 'decode', file, request, tapChannels: tap?.channels };
    const child = start(task, { signal, limits, extraIdleMs, onSecondOutput: tap?.push });
    try {
      yield* child.output();
    } catch (error) {
      throw child.hasExitCode ? unreadable() : error;
    }
  },
};

async function measure(file: SoundFile, signal?: AbortSignal): Promise<SoundFacts | undefined> {
  const { shape, seconds } = (await ask({ kind: 'measure', file }, signal)) ?? { seconds: 0 };
  if (!shape || seconds === 0) return undefined;
  return {
    ...shape,
    contentType: contentTypes[file.container],
    durationMs: Math.max(1, Math.round(seconds * 1000)),
    bitrate: Math.round(((await stat(file.path)).size * 8) / seconds),
  };
}

async function ask(task: JsTask, signal?: AbortSignal): Promise<JsAnswer | undefined> {
  // It responds only at the end of the file.
  const extraIdleMs = await extraIdleMsFor(task.file, Infinity);
  const child = start(task, { signal, limits: slowAnalysisLimits, extraIdleMs });
  try {
    return JSON.parse((await buffer(child.output())).toString()) as JsAnswer;
  } catch (error) {
    if (child.hasExitCode) return undefined;
    throw error;
  }
}

const script = builtScript('js-decoder.js');

function start(
  task: JsTask,
  options: Pick<ChildOptions, 'signal' | 'limits' | 'extraIdleMs' | 'onSecondOutput'>,
): Child {
  const args = ['--max-old-space-size=512', script, JSON.stringify(task)];
  return new Child({ program: execPath, args, cwd: dirname(script), ...options });
}
