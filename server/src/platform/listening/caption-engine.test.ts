import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '../../testing/needs.ts';
import { expect, test } from 'vitest';
import { recordingLog, silentLog } from '../../testing/log.ts';
import { asSound, openTestModels, readRecordings, silence } from '../../testing/speech.ts';
import { createCaptionEngine, findCaptionFault } from './caption-engine.ts';
import { createVoiceGate } from './embedded-engine.ts';
import { EngineUnavailable } from './engine.ts';

const never = new AbortController().signal;

test.each([
  ['moonshine', undefined, undefined],
  ['whisper', undefined, undefined],
  ['openai', 'http://localhost:8000', undefined],
  ['deepgram', undefined, 'the engine deepgram needs the address of its server'],
  ['whisper.cpp', 'localhost', 'the address of the server must be an http or https URL'],
  ['openai', 'https://me:secret@example.org', 'the address of the server must not contain a user name or a password'],
] as const)('the engine %s at %s', (kind, url, fault) => {
  expect(findCaptionFault({ kind, url })).toBe(fault);
});

test('a missing model gives one line in the log, and each clip fails at once with the reason', async () => {
  const modelFolder = await mkdtemp(join(tmpdir(), 'earshot-no-models-'));
  const log = recordingLog();
  const settings = { kind: 'moonshine', modelFolder, mayFetchModels: false, atOnce: 1 } as const;
  const engine = createCaptionEngine(settings, log);
  try {
    const clips = [1, 2, 3].map(() => engine.caption(asSound(silence(1)), { signal: never }));
    for (const clip of clips) {
      const failure = await clip.catch((error: unknown) => error as EngineUnavailable);
      expect(failure).toBeInstanceOf(EngineUnavailable);
      expect((failure as Error).message).toContain('the model silero-vad-6 is missing');
    }
    await expect(engine.prepare(never)).rejects.toMatchObject({ retryAfterMs: expect.any(Number) as number });
    expect(log.lines).toHaveLength(1);
    expect(log.lines[0]).toMatchObject({
      level: 'error',
      message: expect.stringMatching(/^no captions at present: the model/) as string,
    });
  } finally {
    await engine.close();
    await rm(modelFolder, { recursive: true, force: true });
  }
});

test('the gate alone finds speech', needs('speech'), async () => {
  const gate = createVoiceGate({ models: openTestModels(), log: silentLog, idleSeconds: 1 });
  try {
    await gate.prepare(never);
    const { samples } = readRecordings()[4]!;
    const [stretch, ...others] = await gate.findSpeech(asSound(samples), { signal: never });
    expect(others).toEqual([]);
    expect(stretch!.endMs - stretch!.startMs).toBeGreaterThan(2_000);
    expect(await gate.findSpeech(asSound(silence(10)), { signal: never })).toEqual([]);
  } finally {
    await gate.close();
  }
});
