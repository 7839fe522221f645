import { afterEach, beforeEach, expect, test } from 'vitest';
import { asSound, joinSound, noise, silence } from '../../../testing/speech.ts';
import type { VoiceGate } from '../engine.ts';
import { json, never, RemoteServer } from './testing/remote-server.ts';

let server: RemoteServer;

beforeEach(async () => {
  server = new RemoteServer();
  await server.start();
});
afterEach(() => server.stop());

test('a long clip is sent in parts that are cut at quiet points, and the results are joined', async () => {
  const sentence = { start: 0.5, end: 1, text: 'word' };
  server.answer = json({ language: 'en', segments: [sentence] });
  const quiet = [joinSound(noise(50), silence(1), noise(39)), joinSound(noise(30), silence(1), noise(29))];
  const heard: number[] = [];
  const captions = await server.engine({ partSamples: 60 * 16_000 }).caption(asSound(joinSound(...quiet)), {
    signal: never,
    onProgress: (ms) => heard.push(ms),
  });
  expect(server.asked).toHaveLength(3);
  expect(captions.soundMs).toBe(150_000);
  const starts = captions.segments.map(({ startMs }) => startMs - 500);
  expect(starts[0]).toBe(0);
  expect(starts[1]).toBeGreaterThan(50_000);
  expect(starts[1]).toBeLessThan(51_000);
  expect(heard.at(-1)).toBe(150_000);
  const sent = server.asked.reduce((sum, { body }) => sum + body.length, 0);
  expect(sent).toBeGreaterThan(2 * 150 * 16_000);
  expect(sent).toBeLessThan(2 * 150 * 16_000 + 6_000);
});

const gateFinding = (...stretches: { startMs: number; endMs: number }[]): VoiceGate => ({
  prepare: () => Promise.resolve(),
  findSpeech: () => Promise.resolve(stretches),
  close: () => Promise.resolve(),
});

test('sound without a voice is not sent', async () => {
  const captions = await server.caption(noise(5), { gate: gateFinding() });
  expect(captions).toMatchObject({ segments: [], isLanguageKnown: true, soundMs: 5_000 });
  expect(server.asked).toEqual([]);
});

test('words outside of speech are dropped', async () => {
  const words = [
    { word: 'said', start: 1, end: 2 },
    { word: 'invented', start: 6, end: 7 },
  ];
  server.answer = json({ language: 'en', segments: [{ start: 0, end: 8, text: '', words }] });
  const gate = gateFinding({ startMs: 800, endMs: 2_200 });
  const { segments } = await server.caption(noise(8), { gate });
  expect(segments.map(({ text }) => text)).toEqual(['said']);
});
