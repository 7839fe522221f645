import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import type OpenAI from 'openai';
import { toFile } from 'openai';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually, readRecording, realEngine } from '../../server/src/features/caption/tests/captioning.ts';
import { openMhzCall, trunkRecorderCall, trunkRecorderMeta } from './curl-form.ts';
import { createRecorder } from './recorder.ts';
import { createSecret, engines, programOf, soundFile, startTranscribingServer } from './transcribing.ts';

let server: TestServer;
let openai: OpenAI;

beforeAll(async () => {
  server = await startTranscribingServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  openai = programOf(server, await createSecret(server));
});

type Options = Omit<OpenAI.Audio.TranscriptionCreateParams, 'file' | 'model'> & { model?: string };
const transcribe = async (options: Options = {}, program = openai) =>
  (await program.audio.transcriptions.create({
    file: await soundFile(),
    model: 'whisper-1',
    ...options,
  } as OpenAI.Audio.TranscriptionCreateParamsNonStreaming)) as unknown;

describe('with the openai package', () => {
  test('json, the default', async () => {
    expect(await transcribe()).toEqual({ text: 'one two three' });
    expect(await transcribe({ response_format: 'json', language: 'en', temperature: 0 })).toEqual({
      text: 'one two three',
    });
  });

  test('text, srt and vtt', async () => {
    expect(await transcribe({ response_format: 'text' })).toBe('one two three\n');
    expect(await transcribe({ response_format: 'srt' })).toMatch(
      /^1\n00:00:00,000 --> 00:00:0\d,\d{3}\none two three\n/,
    );
    expect(await transcribe({ response_format: 'vtt' })).toMatch(
      /^WEBVTT\n\n00:00:00\.000 --> 00:00:0\d\.\d{3}\none two three\n$/,
    );
  });

  test('verbose_json, with segments or words', async () => {
    expect(await transcribe({ response_format: 'verbose_json' })).toEqual({
      task: 'transcribe',
      language: 'english',
      duration: 3.2,
      text: 'one two three',
      segments: [
        {
          id: 0,
          seek: 0,
          start: 0,
          end: 2.9,
          text: 'one two three',
          tokens: [],
          temperature: 0,
          avg_logprob: -0.1054,
          compression_ratio: 0.619,
          no_speech_prob: 0,
        },
      ],
    });
    const worded = await transcribe({ response_format: 'verbose_json', timestamp_granularities: ['word'] });
    expect(worded).toMatchObject({ words: [{ word: 'one', start: 0, end: 0.9 }, { word: 'two' }, { word: 'three' }] });
    expect(worded).not.toHaveProperty('segments');
    const both = await transcribe({ response_format: 'verbose_json', timestamp_granularities: ['word', 'segment'] });
    expect(both).toMatchObject({ words: [{}, {}, {}], segments: [{}] });
  });

  test('nothing is stored', async () => {
    await transcribe();
    expect(await readdir(join(server.dataDir, 'scratch'))).toEqual([]);
    expect(await server.db`select 1 from files union all select 1 from audio_clips`).toHaveLength(0);
  });

  test.each<[string, Options & Record<string, unknown>]>([
    ['a temperature', { temperature: 0.5 }],
    ['a temperature that is no number', { temperature: 'warm' as unknown as number }],
    ['another language', { language: 'de' }],
    ['another model', { model: 'gpt-4o-transcribe' }],
    ['no model', { model: '' }],
    ['granularities without verbose_json', { timestamp_granularities: ['word'] }],
    ['unknown granularities', { timestamp_granularities: ['letter' as 'word'] }],
    ['log probabilities', { include: ['logprobs'] }],
    ['a chunking strategy', { chunking_strategy: 'auto' }],
    ['a chunking strategy with values', { chunking_strategy: { type: 'server_vad', threshold: 0.5 } }],
    ['hot words', { hotwords: 'Ada' }],
    ['a voice filter', { vad_filter: true }],
    ['an unknown parameter', { anything: 'x', 'and[more]': ['y', 'z'] }],
  ])('%s is a hint that is ignored', async (_title, options) => {
    expect(await transcribe(options)).toEqual({ text: 'one two three' });
  });

  test('an engine can be chosen by its name, and any other model is the default one', async () => {
    const heard: string[] = [];
    const engine = engines.findEngine('accurate')!;
    const caption = vi.spyOn(engine, 'caption').mockImplementation(async (sound, listening) => {
      heard.push('accurate');
      return engines.captions.caption(sound, listening);
    });
    await transcribe({ model: 'large-v3' });
    expect(heard).toEqual([]);
    await transcribe({ model: 'accurate' });
    expect(heard).toEqual(['accurate']);
    caption.mockRestore();
  });

  test('a prompt reaches the engine', async () => {
    await transcribe({ prompt: ' Units: Schuylkill 51 ' });
    expect(engines.asked).toEqual([{ languages: [], prompt: 'Units: Schuylkill 51' }]);
  });

  test('another format is refused, and named', async () => {
    const asked = transcribe({ response_format: 'diarized_json' as 'json' });
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'response_format', type: 'invalid_request_error' });
  });

  test('models', async () => {
    const models = [];
    for await (const model of openai.models.list()) models.push(model);
    expect(models.map(({ id }) => id)).toEqual(['whisper-1', 'fast', 'accurate', 'moonshine', 'whisper']);
    expect(await openai.models.retrieve('whisper-1')).toEqual({
      id: 'whisper-1',
      object: 'model',
      created: 0,
      owned_by: 'earshot',
    });
    await expect(openai.models.retrieve('gpt-4')).rejects.toMatchObject({ status: 404 });
    await expect(openai.models.retrieve('x'.repeat(5_000))).rejects.toMatchObject({ status: 400 });
    await expect(programOf(server, 'nonsense').models.list()).rejects.toMatchObject({
      status: 401,
      code: 'invalid_api_key',
    });
  });

  test('a file that is no sound is refused', async () => {
    const file = await toFile(Buffer.from('no sound'), 'speech.wav');
    const asked = openai.audio.transcriptions.create({ file, model: 'whisper-1' });
    await expect(asked).rejects.toMatchObject({ status: 400, param: 'file' });
  });
});

describe('keys', () => {
  test('a wrong or missing key', async () => {
    for (const wrong of ['nonsense', ' ']) {
      const asked = transcribe({}, programOf(server, wrong));
      await expect(asked).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' });
    }
  });

  test('a key that may not transcribe', async () => {
    const person = await server.addPerson();
    const made = await person.session.createUploadKey({ body: {} });
    const program = programOf(server, made.secret ?? '');
    await expect(transcribe({}, program)).rejects.toMatchObject({ status: 403 });
    const params = { uploadKeyID: made.key ?? 0 };
    await person.session.updateUploadKey({ params, body: { transcribe: true } });
    expect(await transcribe({}, program)).toEqual({ text: 'one two three' });
  });

  test('the hours of a day are limited', async () => {
    await server.db`
      insert into upload_key_use (upload_key_id, day, transcribed_ms)
      select key, (now() at time zone 'UTC')::date, 3598000 from upload_keys
      on conflict (upload_key_id, day) do update set transcribed_ms = excluded.transcribed_ms`;
    const failure: unknown = await transcribe().catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 429, code: 'rate_limit_exceeded' });
    expect(Number((failure as { headers: Headers }).headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('turns', () => {
  test('a caller who hangs up ends the work', async () => {
    const begun = vi.fn<() => void>();
    const ended = vi.fn<() => void>();
    engines.before = (_ms, signal) =>
      new Promise((_resolve, reject) => {
        begun();
        signal.addEventListener('abort', () => {
          ended();
          reject(signal.reason as Error);
        });
      });
    const stop = new AbortController();
    const file = await soundFile();
    const asked = openai.audio.transcriptions.create({ file, model: 'whisper-1' }, { signal: stop.signal });
    const refused = expect(asked).rejects.toThrow();
    await eventually(() => expect(begun).toHaveBeenCalled());
    stop.abort();
    await refused;
    await eventually(() => expect(ended).toHaveBeenCalled());
    await eventually(async () => expect(await readdir(join(server.dataDir, 'scratch'))).toEqual([]));
    expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('one owner with many requests does not hold up another', async () => {
    const other = await server.addPerson();
    const { secret: otherSecret = '' } = await other.session.createUploadKey({ body: { transcribe: true } });
    const order: string[] = [];
    const waiting: (() => void)[] = [];
    engines.before = () => new Promise((resolve) => waiting.push(resolve));
    const asked = ['a1', 'a2', 'a3'].map((name) => transcribe().then(() => order.push(name)));
    await eventually(() => expect(waiting).toHaveLength(1));
    asked.push(transcribe({}, programOf(server, otherSecret)).then(() => order.push('b1')));
    // The other owner's request has arrived when its bytes are counted.
    await eventually(async () => {
      const used = await server.db`select 1 from upload_key_use u join upload_keys k on k.key = u.upload_key_id
        where k.user_id = ${other.userID} and u.transcribed_ms > 0`;
      expect(used).toHaveLength(1);
    });
    for (let at = 0; at < 4; at++) {
      await eventually(() => expect(waiting.length).toBe(at + 1));
      waiting[at]?.();
    }
    await Promise.all(asked);
    expect(order.indexOf('b1')).toBeLessThanOrEqual(1);
  });
});

test('a server without an engine says so', async () => {
  const without = await startTestServer();
  try {
    const person = await without.addPerson();
    const made = await person.session.createUploadKey({ body: { transcribe: true } });
    await expect(transcribe({}, programOf(without, made.secret ?? ''))).rejects.toMatchObject({ status: 503 });
  } finally {
    await without.stop();
  }
});

describe('with the real engine', needs('speech'), () => {
  let hearing: TestServer;
  beforeAll(async () => {
    hearing = await startTestServer({ captions: realEngine });
  });
  afterAll(() => hearing.stop());

  test('calls of every protocol are found by their words, and the same words are transcribed', async () => {
    const recorder = await createRecorder(hearing);
    const { owner, call, post } = recorder;
    const sound = readRecording();
    const answers = [
      await post('/api/call-upload', trunkRecorderCall(call({ sound }))),
      await post('/api/trunk-recorder-call-upload', trunkRecorderMeta(call({ sound, talkgroup: 2 }))),
      await post('/openmhz/county/upload', openMhzCall(call({ sound, talkgroup: 3 }))),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const found = async (body: object) =>
      (await owner.session.searchCaptions({ body: { searchText: 'amiable himself', ...body } })).results;
    await eventually(async () => expect(await found({})).toHaveLength(3));
    const [only, ...others] = await found({ talkgroup: 2 });
    expect(others).toEqual([]);
    expect(only?.transcript?.toLowerCase()).toContain('amiable');
    const { results } = await owner.session.listAudioClipPage({ body: { talkgroup: 3 } });
    expect(results[0]?.transcript?.toLowerCase()).toContain('amiable');

    const { secret: own = '' } = await owner.session.createUploadKey({ body: { transcribe: true } });
    const program = programOf(hearing, own);
    const file = await toFile(sound, 'speech.wav');
    const prompt = 'A novel by Jane Austen, with Elinor Dashwood of Norland and Colonel Brandon of Delaford.';
    for (const options of [{}, { prompt }]) {
      const { text } = await program.audio.transcriptions.create({ file, model: 'whisper-1', ...options });
      expect(text.toLowerCase()).toContain('amiable himself');
    }
  });
});
