import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ListeningFailed } from '@earshot/server/platform/listening/engine';
import type { TestServer } from '@earshot/server/testing/server';
import type OpenAI from 'openai';
import { toFile } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../server/src/features/caption/tests/captioning.ts';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { curlForm } from './curl-form.ts';
import { createSecret, engines, programOf, soundFile, startTranscribingServer } from './transcribing.ts';
import type { SentTranscription } from './transcription-clients.ts';
import { thinLineRequest, trEngineRequest, trEngineSettings, whisperCppRequest } from './transcription-clients.ts';

let server: TestServer;
let openai: OpenAI;
let secret: string;

beforeAll(async () => {
  server = await startTranscribingServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  secret = await createSecret(server);
  openai = programOf(server, secret);
});

type StreamParams = OpenAI.Audio.TranscriptionCreateParamsStreaming;

describe('streams, with the openai package', () => {
  const stream = async (options: Partial<StreamParams> = {}) =>
    openai.audio.transcriptions.create({ file: await soundFile(), model: 'whisper-1', ...options, stream: true });

  test('the text arrives while the sound is transcribed', async () => {
    const waiting: (() => void)[] = [];
    engines.eachSecond = () => new Promise((resolve) => waiting.push(resolve));
    const asked = stream();
    await eventually(() => expect(waiting).toHaveLength(1));
    waiting[0]!();
    const events = (await asked)[Symbol.asyncIterator]();
    expect((await events.next()).value).toEqual({ type: 'transcript.text.delta', delta: 'one' });
    await eventually(() => expect(waiting).toHaveLength(2));
    waiting[1]!();
    expect((await events.next()).value).toEqual({ type: 'transcript.text.delta', delta: ' two' });
    await eventually(() => expect(waiting).toHaveLength(3));
    waiting[2]!();
    expect((await events.next()).value).toEqual({ type: 'transcript.text.delta', delta: ' three' });
    expect((await events.next()).value).toEqual({ type: 'transcript.text.done', text: 'one two three' });
    expect((await events.next()).done).toBe(true);
  });

  test('an engine without parts, and any format', async () => {
    const events: unknown[] = [];
    for await (const event of await stream({ response_format: 'verbose_json' })) events.push(event);
    expect(events).toEqual([
      { type: 'transcript.text.delta', delta: 'one two three' },
      { type: 'transcript.text.done', text: 'one two three' },
    ]);
  });

  test('a refusal before the first word has its status', async () => {
    const asked = openai.audio.transcriptions.create({
      file: await toFile(Buffer.from('no sound'), 'speech.wav'),
      model: 'whisper-1',
      stream: true,
    });
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'file' });
  });

  test('a failure after the first word ends the stream as an error', async () => {
    engines.eachSecond = (second) => {
      if (second === 1) throw new ListeningFailed('the engine stopped');
    };
    const events: unknown[] = [];
    const read = async () => {
      for await (const event of await stream()) events.push(event);
    };
    await expect(read()).rejects.toThrow('The sound cannot be transcribed.');
    expect(events).toEqual([{ type: 'transcript.text.delta', delta: 'one' }]);
  });

  test('a caller who hangs up ends the work', async () => {
    const ended = vi.fn<() => void>();
    engines.eachSecond = (second, _ms, signal) => {
      if (second === 0) return;
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          ended();
          reject(signal.reason as Error);
        });
      });
    };
    const logged = () =>
      server.log.lines.filter(
        ({ message, fields }) =>
          message === 'request' && 'operation' in fields && fields.operation === 'transcribeAsOpenAI',
      ).length;
    const before = logged();
    const events = await stream();
    const iterator = events[Symbol.asyncIterator]();
    await iterator.next();
    events.controller.abort();
    await eventually(() => expect(ended).toHaveBeenCalled());
    await eventually(() => expect(logged()).toBe(before + 1));
    await eventually(async () => expect(await readdir(join(server.dataDir, 'scratch'))).toEqual([]));
    expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('programs of others, byte for byte', () => {
  const send = async ({ path, headers, body }: SentTranscription) => {
    const response = await fetch(new URL(path, server.url), { method: 'POST', headers, body });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
  const verbose = { task: 'transcribe', language: 'english', duration: 3.2, text: 'one two three' };

  test('tr-engine reads text and words', async () => {
    for (const more of [[], trEngineSettings]) {
      const { status, text } = await send(trEngineRequest(secret, tinyWav(3.2), more));
      expect(status).toBe(200);
      const words = [{ word: 'one', start: 0, end: 0.9 }, { word: 'two' }, { word: 'three' }];
      expect(JSON.parse(text)).toMatchObject({ ...verbose, words });
    }
    expect(engines.asked.at(-1)?.prompt).toBe('County fire dispatch. Units: Engine 51, Schuylkill Avenue.');
  });

  test('ThinLineRadio reads text and segments, with and without a prompt', async () => {
    for (const prompt of ['', 'Fire dispatch for Okeechobee County.']) {
      const { status, text } = await send(thinLineRequest(secret, tinyWav(3.2), prompt));
      expect(status).toBe(200);
      const segments = [{ id: 0, start: 0, end: 2.9, text: 'one two three' }];
      expect(JSON.parse(text)).toMatchObject({ ...verbose, segments });
    }
  });

  test('clients of whisper.cpp', async () => {
    const answers = async (format: string) => send(whisperCppRequest(secret, tinyWav(3.2), format));
    expect(await answers('json')).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
      text: '{"text":" one two three\\n"}',
    });
    expect(JSON.parse((await answers('anything')).text)).toEqual({ text: ' one two three\n' });
    expect(await answers('text')).toMatchObject({ status: 200, text: ' one two three\n' });
    expect((await answers('srt')).text).toMatch(/^1\n00:00:00,000 --> 00:00:02,900\n/);
    expect((await answers('vtt')).text).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:02\.900\n/);
    expect(JSON.parse((await answers('verbose_json')).text)).toEqual({
      ...verbose,
      text: ' one two three\n',
      detected_language: 'english',
      segments: [
        {
          id: 0,
          text: ' one two three',
          start: 0,
          end: 2.9,
          tokens: [],
          words: [
            { word: ' one', start: 0, end: 0.9, t_dtw: -1, probability: 0.9 },
            { word: ' two', start: 1, end: 1.9, t_dtw: -1, probability: 0.9 },
            { word: ' three', start: 2, end: 2.9, t_dtw: -1, probability: 0.9 },
          ],
          temperature: 0,
          avg_logprob: -0.1054,
          no_speech_prob: 0,
        },
      ],
    });
  });

  test('refusals have the shape of the server of whisper.cpp', async () => {
    const form = curlForm([{ name: 'temperature', value: '0.0' }]);
    const headers = { ...form.headers, authorization: `Bearer ${secret}` };
    const { status, text } = await send({ path: '/inference', headers, body: form.body });
    expect({ status, ...(JSON.parse(text) as object) }).toEqual({
      status: 400,
      error: "no 'file' field in the request",
    });
    const wrong = await send(whisperCppRequest('nonsense', tinyWav(1)));
    expect(wrong.status).toBe(401);
    expect(JSON.parse(wrong.text)).toEqual({ error: expect.stringContaining('wrong') });
    const noForm = await send({ path: '/inference', headers: { authorization: `Bearer ${secret}` }, body: form.body });
    expect(noForm.status).toBeGreaterThanOrEqual(400);
    expect(noForm.status).toBeLessThan(500);
  });
});
