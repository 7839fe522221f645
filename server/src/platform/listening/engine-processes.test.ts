import { setTimeout as sleep } from 'node:timers/promises';
import { needs } from '../../testing/needs.ts';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { asSound, joinSound, openTestModels, readRecordings, silence } from '../../testing/speech.ts';
import { silentLog } from '../../testing/log.ts';
import type { EngineProcessesOptions } from './engine-processes.ts';
import { createEngineProcesses } from './engine-processes.ts';
import type { TranscribedPart } from './engine.ts';
import { ListeningFailed } from './engine.ts';

/*
 * When processes start, end and are replaced does not depend on their models, so these tests use the voice gate alone: it
 * loads with a tenth of the processor time that the transcription needs.
 */

const models = openTestModels();
const never = new AbortController().signal;

function createProcesses(options: Partial<EngineProcessesOptions> = {}) {
  const engine = createEngineProcesses({ profile: 'voice', gives: 'captions' }, { models, log: silentLog, ...options });
  onTestFinished(() => engine.close());
  return engine;
}

async function* endlessSilence() {
  for (;;) yield silence(2);
}

describe('limits', () => {
  test('a process without progress is killed, and its clip fails with the reason', async () => {
    const { pool } = createProcesses({ stallSeconds: 1 });
    const stopped = pool.analyse(asSound(silence(60)), {
      signal: never,
      onProgress: () => void process.kill(pool.pids[0]!, 'SIGSTOP'),
    });
    await expect(stopped).rejects.toThrow('has exited: it made no progress for 1 seconds');
    expect(await pool.analyse(asSound(silence(1)), { signal: never })).toMatchObject({ soundMs: 1_000 });
  });

  test('a process that uses too much memory is killed, and its clip fails with the reason', async () => {
    const { pool } = createProcesses({ memoryMB: 50 });
    const endless = pool.analyse(endlessSilence(), { signal: never });
    await expect(endless).rejects.toThrow('it used more than 50 MB of memory');
  });

  test('an idle process ends, and a new one is started on demand', async () => {
    const { pool } = createProcesses({ idleSeconds: 0.2 });
    await pool.analyse(asSound(silence(1)), { signal: never });
    await vi.waitFor(() => expect(pool.pids).toEqual([]));
    expect(await pool.analyse(asSound(silence(1)), { signal: never })).toMatchObject({ soundMs: 1_000 });
  });
});

describe('processes that die', () => {
  test(
    'if a process is killed, only its clip fails, and that clip can be analysed again',
    needs('speech'),
    async () => {
      const { pool } = createProcesses({ processes: 2 });
      const { samples } = readRecordings()[4]!;
      const pids: number[] = [];
      const killed = pool.analyse(asSound(joinSound(...Array.from({ length: 20 }, () => samples))), {
        signal: never,
        onProgress: (ms) => {
          if (ms > 10_000 && pids.length === 0) {
            pids.push(...pool.pids);
            for (const pid of pids) process.kill(pid, 'SIGKILL');
          }
        },
      });
      const failure = await killed.catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(ListeningFailed);
      expect((failure as Error).message).toBe(
        'the process that analysed this clip has exited: it was killed by SIGKILL',
      );
      const parts: TranscribedPart[] = [];
      await pool.analyse(asSound(samples), { signal: never, onPart: (part) => parts.push(part) });
      expect(parts.flatMap(({ segments }) => segments).length).toBeGreaterThan(0);
      expect(pool.pids.some((pid) => pids.includes(pid))).toBe(false);
    },
  );

  test('a process that dies while idle is replaced without affecting a clip', async () => {
    const { pool } = createProcesses();
    await pool.warm(never);
    const [pid] = pool.pids;
    process.kill(pid!, 'SIGKILL');
    await vi.waitFor(() => expect(pool.pids).toEqual([]));
    expect(await pool.analyse(asSound(silence(1)), { signal: never })).toMatchObject({ soundMs: 1_000 });
  });

  test('a process that dies while it loads its models is replaced without affecting a clip', async () => {
    const { pool } = createProcesses();
    const result = pool.analyse(asSound(silence(1)), { signal: never });
    await vi.waitFor(() => expect(pool.pids).toHaveLength(1), { interval: 1 });
    process.kill(pool.pids[0]!, 'SIGKILL');
    expect(await result).toMatchObject({ soundMs: 1_000 });
  });

  test('closing ends every process, and the running clip fails', async () => {
    const { pool, close } = createProcesses();
    const running = pool.analyse(endlessSilence(), { signal: never });
    await vi.waitFor(() => expect(pool.pids).toHaveLength(1));
    const [pid] = pool.pids;
    await sleep(10);
    await Promise.all([close(), expect(running).rejects.toThrow('shut down')]);
    expect(() => process.kill(pid!, 0)).toThrow();
  });
});
