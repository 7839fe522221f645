import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { execPath } from 'node:process';
import { buffer } from 'node:stream/consumers';

import { builtScript } from '../built-script.ts';
import { Child, type ChildOptions } from './child.ts';
import { type Engine, wayTo } from './engine.ts';
import type { JsAnswer, JsTask } from './js-protocol.ts';
import { slowAnalysisLimits } from './limits.ts';
import { unreadable } from './media-error.ts';
import { type SoundFacts, type SoundFile, contentTypes } from './sound.ts';

/**
 * Reads sound where ffmpeg is missing, several times slower: npm's audio-decode in a process of its own for each file.
 * Memory stays flat but for MP4 files whose table stands at the end, which are read whole: those above 16 MB are
 * refused. 32-bit integer samples keep their upper 24 bits.
 */
export const jsEngine: Engine = {
  inspect: async (file, signal) => (await ask({ kind: 'inspect', file }, signal))?.shape,
  probe: measure,
  async *decode(file, _shape, { signal, limits, ...request }) {
    const extraPatienceMs = await wayTo(file, request.fromFrame);
    const child = start({ kind: 'decode', file, request }, { signal, limits, extraPatienceMs });
    try {
      yield* child.output();
    } catch (error) {
      throw child.endedByItself ? unreadable() : error;
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
  // It answers at the end of the file.
  const extraPatienceMs = await wayTo(task.file, Infinity);
  const child = start(task, { signal, limits: slowAnalysisLimits, extraPatienceMs });
  try {
    return JSON.parse((await buffer(child.output())).toString()) as JsAnswer;
  } catch (error) {
    if (child.endedByItself) return undefined;
    throw error;
  }
}

const script = builtScript('js-decoder.js');

function start(task: JsTask, options: Pick<ChildOptions, 'signal' | 'limits' | 'extraPatienceMs'>): Child {
  const args = ['--max-old-space-size=512', script, JSON.stringify(task)];
  return new Child({ program: execPath, args, cwd: dirname(script), ...options });
}
