import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asSound, noise } from '../../../testing/speech.ts';
import type { Captions, VoiceGate } from '../engine.ts';
import { json, never, RemoteServer } from './testing/remote-server.ts';

let server: RemoteServer;

beforeEach(async () => {
  server = new RemoteServer();
  await server.start();
});
afterEach(() => server.stop());

const textOf = ({ segments }: Captions) => segments.map(({ text }) => text).join(' ');
const wordsOf = ({ segments }: Captions) => segments.flatMap(({ words }) => words);
const areEstimated = ({ segments }: Captions) => segments.map(({ isTimed }) => isTimed === false);

describe('a response with only a text', () => {
  test.each([
    ['json', { text: ' Engine five is here.\n' }],
    ['empty segments', { text: 'Engine five is here.', segments: [], words: [] }],
    ['segments without text', { text: 'Engine five is here.', segments: [{ id: 0, start: 0, end: 2 }] }],
  ])('is a caption with estimated times: %s', async (_title, body) => {
    server.answer = json(body);
    const captions = await server.caption(noise(4));
    expect(textOf(captions)).toBe('Engine five is here.');
    expect(areEstimated(captions)).toEqual([true]);
    const words = wordsOf(captions);
    expect(words.map(({ text }) => text)).toEqual(['Engine', 'five', 'is', 'here.']);
    expect(words[0]!.startMs).toBe(0);
    expect(words.at(-1)!.endMs).toBe(4_000);
    for (const [at, { startMs, endMs }] of words.entries()) {
      expect(endMs).toBeGreaterThan(startMs);
      expect(startMs).toBeGreaterThanOrEqual(words[at - 1]?.endMs ?? 0);
    }
  });

  test('its words are spread over the speech, and none is lost', async () => {
    server.answer = json({ text: 'one two three four five six seven eight' });
    const speech = [
      { startMs: 1_000, endMs: 2_000 },
      { startMs: 7_000, endMs: 8_000 },
    ];
    const gate: VoiceGate = {
      prepare: () => Promise.resolve(),
      findSpeech: () => Promise.resolve(speech),
      close: () => Promise.resolve(),
    };
    const captions = await server.caption(noise(10), { gate });
    expect(textOf(captions)).toBe('one two three four five six seven eight');
    for (const { startMs, endMs } of wordsOf(captions)) {
      expect(speech.some((one) => startMs >= one.startMs && endMs <= one.endMs)).toBe(true);
    }
    expect(wordsOf(captions)[0]!.startMs).toBe(1_000);
    expect(wordsOf(captions).at(-1)!.startMs).toBeGreaterThan(7_000);
  });

  test('of Deepgram, too', async () => {
    const alternatives = [{ transcript: 'Buenos días.', confidence: 0.9 }];
    server.answer = json({ results: { channels: [{ alternatives }] } });
    const captions = await server.caption(noise(2), { kind: 'deepgram' });
    expect(wordsOf(captions).map(({ text }) => text)).toEqual(['Buenos', 'días.']);
    expect(areEstimated(captions)).toEqual([true]);
  });
});

describe('times of words that cannot be right', () => {
  const good = { start: 3, end: 3.5, text: ' Second one.', words: [word(' Second', 3, 3.2), word(' one.', 3.2, 3.5)] };

  test.each([
    ['missing', [word(' First'), word(' gate.')]],
    ['reversed', [word(' First', 1.5, 1), word(' gate.', 1.5, 2)]],
    ['not in order', [word(' First', 1.8, 2), word(' gate.', 1, 1.1)]],
    ['beyond the end of the segment', [word(' First', 1, 1.2), word(' gate.', 9, 9.4)]],
    ['before the segment', [word(' First', -40, -39), word(' gate.', 1, 2)]],
    ['of another type', [word(' First', '1', null), word(' gate.', 1, 2)]],
  ])('%s: the words share the time of their segment', async (_title, words) => {
    server.answer = json({ segments: [{ start: 1, end: 2, text: ' First gate.', words }, good] });
    const captions = await server.caption(noise(4));
    expect(textOf(captions)).toBe('First gate. Second one.');
    expect(areEstimated(captions)).toEqual([true, false]);
    expect(captions.segments[0]).toMatchObject({ startMs: 1_000, endMs: 2_000 });
    expect(captions.segments[1]!.words[1]).toMatchObject({ startMs: 3_200, endMs: 3_500 });
  });

  test('NaN and Infinity, which servers in Python write', async () => {
    const body =
      '{"text":"NaN said \\"Infinity","segments":[{"start":0,"end":1,"text":"NaN said \\"Infinity",' +
      '"words":[{"word":" NaN","start":NaN,"end":Infinity},{"word":" said","start":0.4,"end":-Infinity}]}]}';
    server.answer = (_, response) => void response.end(body);
    const captions = await server.caption(noise(1));
    expect(textOf(captions)).toBe('NaN said "Infinity');
    expect(areEstimated(captions)).toEqual([true]);
  });

  test('of one word beside the segments: only its segment is estimated', async () => {
    const words = [word('First', 0.2, 0.5), word('gate'), word('Second', 3, 3.2), word('one', 3.2, 3.5)];
    server.answer = json({
      segments: [
        { start: 0, end: 2, text: 'First gate.' },
        { start: 3, end: 3.5, text: 'Second one.' },
      ],
      words,
    });
    const captions = await server.caption(noise(4));
    expect(textOf(captions)).toBe('First gate. Second one.');
    expect(areEstimated(captions)).toEqual([true, false]);
  });

  test('of a segment: it lies between its neighbours', async () => {
    server.answer = json({
      segments: [
        { start: 0, end: 1, text: 'One.' },
        { start: 9, end: 4, text: 'Two.' },
        { text: 'Three.' },
        { start: 3, end: 30, text: 'Four.' },
      ],
    });
    const captions = await server.caption(noise(4));
    expect(textOf(captions)).toBe('One. Two. Three. Four.');
    expect(captions.segments.map(({ startMs, endMs }) => [startMs, endMs])).toEqual([
      [0, 1_000],
      [1_000, 3_000],
      [3_000, 3_000],
      [3_000, 4_000],
    ]);
  });

  test('of words without segments: the text is spread', async () => {
    server.answer = json({ text: 'First gate.', words: [word('First', 5, 6), word('gate', 6, 99)] });
    const captions = await server.caption(noise(2));
    expect(textOf(captions)).toBe('First gate.');
    expect(areEstimated(captions)).toEqual([true]);
  });

  test('a text that the server takes for silence is still dropped', async () => {
    const silent = { start: 0, end: 2, text: 'Thanks for watching!', avg_logprob: -1.3, no_speech_prob: 0.9 };
    server.answer = json({ text: 'Thanks for watching!', segments: [silent] });
    expect((await server.caption(noise(2))).segments).toEqual([]);
  });
});

function word(text: string, start?: unknown, end?: unknown) {
  return { word: text, start, end };
}

describe('the address of the server', () => {
  test.each(['', '/', '/v1', '/v1/', '/v1/audio/transcriptions', '/openai/v1//'])('may end in %j', async (ending) => {
    server.answer = json({ text: 'yes' });
    await server.caption(noise(1), { url: server.url + ending });
    const prefix = ending.startsWith('/openai') ? '/openai' : '';
    expect(server.asked.map(({ url }) => url)).toEqual([`${prefix}/v1/audio/transcriptions`]);
  });

  test('of the other kinds, too', async () => {
    server.answer = json({ text: 'yes' });
    await server.caption(noise(1), { kind: 'whisper.cpp', url: `${server.url}/inference` });
    await server.caption(noise(1), { kind: 'deepgram', url: `${server.url}/v1` });
    expect(server.asked[0]!.url).toBe('/inference');
    expect(server.asked[1]!.url).toMatch(/^\/v1\/listen\?/);
  });
});

describe('the form of the request', () => {
  const fieldsOf = (at: number) => {
    const form = server.asked[at]!.body.toString('utf8');
    const field = (name: string) => new RegExp(`name="${name}"\r\n\r\n([^\r]*)\r\n`).exec(form)?.[1];
    return {
      format: field('response_format'),
      prompt: field('prompt'),
      granularity: field('timestamp_granularities\\[\\]'),
    };
  };
  const refusing = (isRefused: (form: ReturnType<typeof fieldsOf>) => boolean, status = 400) => {
    server.answer = (asked, response) => {
      const isWrong = isRefused(fieldsOf(server.asked.length - 1));
      return json(isWrong ? { error: { message: 'unsupported' } } : { text: 'yes' }, isWrong ? status : 200)(
        asked,
        response,
      );
    };
  };

  test.each([400, 415, 422])('verbose_json refused with %i: json from then on', async (status) => {
    refusing(({ format }) => format === 'verbose_json', status);
    const engine = server.engine();
    const listen = () => engine.caption(asSound(noise(1)), { signal: never });
    expect(textOf(await listen())).toBe('yes');
    expect(textOf(await listen())).toBe('yes');
    expect(server.asked.map((_, at) => fieldsOf(at))).toEqual([
      { format: 'verbose_json', prompt: undefined, granularity: 'segment' },
      { format: 'json', prompt: undefined, granularity: undefined },
      { format: 'json', prompt: undefined, granularity: undefined },
    ]);
  });

  test('a server that is busy is not asked for json', async () => {
    server.answer = json({}, 503, { 'retry-after': '7200' });
    await expect(server.caption(noise(1))).rejects.toThrow('answered 503');
    expect(server.asked).toHaveLength(1);
  });

  test('the vocabulary is the prompt, up to a limit', async () => {
    server.answer = json({ text: 'yes' });
    const listen = (vocabulary: readonly string[], kind: 'openai' | 'whisper.cpp' | 'deepgram') =>
      server.engine({ kind }).caption(asSound(noise(1)), { signal: never, vocabulary });
    await listen(['Schuylkill', 'Engine\n 51'], 'openai');
    await listen(['Schuylkill'], 'whisper.cpp');
    await listen(
      Array.from({ length: 1_000 }, (_, at) => `Name${at}`),
      'openai',
    );
    await listen(['Schuylkill'], 'deepgram');
    expect(fieldsOf(0).prompt).toBe('Schuylkill, Engine 51');
    expect(fieldsOf(1).prompt).toBe('Schuylkill');
    expect(fieldsOf(2).prompt).toMatch(/^Name0, Name1, /);
    expect(fieldsOf(2).prompt!.length).toBeLessThanOrEqual(600);
    expect(server.asked[3]!.body.toString('latin1', 0, 4)).toBe('RIFF');
  });

  test('a server that refuses prompts is asked without one', async () => {
    refusing(({ prompt }) => prompt !== undefined);
    const engine = server.engine();
    const listen = () => engine.caption(asSound(noise(1)), { signal: never, vocabulary: ['Schuylkill'] });
    expect(textOf(await listen())).toBe('yes');
    await listen();
    expect(fieldsOf(server.asked.length - 1)).toMatchObject({ format: 'verbose_json', prompt: undefined });
    expect(server.asked).toHaveLength(4);
  });
});
