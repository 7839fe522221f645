import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { noise } from '../../../testing/speech.ts';
import { json, key, RemoteServer } from './testing/remote-server.ts';

let server: RemoteServer;

beforeEach(async () => {
  server = new RemoteServer();
  await server.start();
});
afterEach(() => server.stop());

describe('OpenAI and compatible servers', () => {
  const openAI = {
    task: 'transcribe',
    language: 'english',
    duration: 4,
    text: 'The north gate is open. Close it!',
    words: [
      { word: 'The', start: 0.1, end: 0.2 },
      { word: 'north', start: 0.2, end: 0.6 },
      { word: 'gate', start: 0.6, end: 1 },
      { word: 'is', start: 1, end: 1.2 },
      { word: 'open', start: 1.2, end: 1.8 },
      { word: 'Close', start: 2.6, end: 3 },
      { word: 'it', start: 3, end: 3.4 },
    ],
    segments: [
      { id: 0, start: 0, end: 2.2, text: ' The north gate is open.', avg_logprob: -0.1, no_speech_prob: 0.01 },
      { id: 1, start: 2.5, end: 3.6, text: ' Close it!', avg_logprob: -0.2, no_speech_prob: 0.01 },
    ],
  };

  test('receive one WAV file and a request for words with times', async () => {
    server.answer = json(openAI);
    await server.caption(noise(4), { model: 'large-v3' });
    const [{ method, url: path, headers, body } = expect.fail('nothing was sent')] = server.asked;
    expect({ method, path }).toEqual({ method: 'POST', path: '/v1/audio/transcriptions' });
    expect(headers.authorization).toBe(`Bearer ${key}`);
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type']! },
    }).formData();
    expect(form.get('model')).toBe('large-v3');
    expect(form.get('response_format')).toBe('verbose_json');
    expect(form.getAll('timestamp_granularities[]')).toEqual(['segment', 'word']);
    const file = form.get('file') as File;
    expect(file.name).toBe('clip.wav');
    expect(file.size).toBe(44 + 2 * 4 * 16_000);
    expect(Buffer.from(await file.arrayBuffer()).toString('latin1', 0, 12)).toMatch(/^RIFF.{4}WAVE$/s);
  });

  test('return words with times and the punctuation of the text', async () => {
    server.answer = json(openAI);
    const captions = await server.caption(noise(4));
    expect(captions).toMatchObject({
      engine: { name: 'openai', version: 'whisper-1' },
      language: 'en',
      isLanguageKnown: true,
      soundMs: 4_000,
    });
    expect(captions.segments.map(({ text, startMs, endMs }) => ({ text, startMs, endMs }))).toEqual([
      { text: 'The north gate is open.', startMs: 100, endMs: 1_800 },
      { text: 'Close it!', startMs: 2_600, endMs: 3_400 },
    ]);
    expect(captions.segments[0]!.words[4]).toEqual({ text: 'open.', startMs: 1_200, endMs: 1_800, confidence: 90 });
  });

  test('may return a confidence for each word, as speaches does', async () => {
    const words = [
      { word: ' Hello', start: 0, end: 0.5, probability: 0.97 },
      { word: ' there.', start: 0.5, end: 1, probability: 0.4 },
    ];
    server.answer = json({
      language: 'en',
      text: 'Hello there.',
      segments: [{ start: 0, end: 1, text: ' Hello there.', words }],
    });
    const { segments } = await server.caption(noise(2));
    expect(segments[0]!.words.map(({ text, confidence }) => [text, confidence])).toEqual([
      ['Hello', 97],
      ['there.', 40],
    ]);
  });

  test('may return segments only, in nanoseconds, as LocalAI does', async () => {
    server.answer = json({
      text: 'one two',
      segments: [{ id: 0, start: 1_000_000_000, end: 2_000_000_000, text: ' one two' }],
    });
    const { segments } = await server.caption(noise(3));
    expect(segments).toMatchObject([{ text: 'one two', startMs: 1_000, endMs: 2_000 }]);
    expect(segments[0]!.words[1]).toMatchObject({ text: 'two', startMs: 1_500 });
  });

  test('are not trusted if they report low confidence', async () => {
    server.answer = json({
      language: 'welsh',
      text: 'x',
      segments: [
        { start: 0, end: 1, text: ' Thanks for watching!', avg_logprob: -1.3, no_speech_prob: 0.9 },
        { start: 1, end: 3, text: ' Gibberish', avg_logprob: -1.4, no_speech_prob: 0.1 },
      ],
    });
    const captions = await server.caption(noise(3));
    expect(captions).toMatchObject({ language: undefined, isLanguageKnown: false });
    expect(captions.segments).toMatchObject([{ startMs: 1_000, endMs: 3_000, text: '', isLanguageKnown: false }]);
  });

  test('a response without words is a result', async () => {
    server.answer = json({ language: 'english', text: '', segments: [] });
    expect(await server.caption(noise(1))).toMatchObject({ segments: [], language: undefined, isLanguageKnown: true });
  });
});

test('the whisper.cpp server gets its own request format, and its tokens become words', async () => {
  const piece = (word: string, start: number, end: number, probability: number) => ({
    word,
    start,
    end,
    t_dtw: -1,
    probability,
  });
  server.answer = json({
    task: 'transcribe',
    language: 'german',
    duration: 2,
    text: ' Guten Morgen!',
    segments: [
      {
        id: 0,
        text: ' Guten Morgen!',
        start: 0,
        end: 1.6,
        tokens: [1, 2, 3, 4],
        words: [
          piece(' Gut', 0.1, 0.3, 0.9),
          piece('en', 0.3, 0.5, 0.8),
          piece(' Morgen', 0.6, 1.1, 0.99),
          piece('!', 1.1, 1.2, 0.7),
        ],
        temperature: 0,
        avg_logprob: -0.3,
        no_speech_prob: 0.02,
      },
    ],
  });
  const captions = await server.caption(noise(2), { kind: 'whisper.cpp', key: undefined });
  expect(server.asked[0]).toMatchObject({ method: 'POST', url: '/inference' });
  expect(server.asked[0]!.headers.authorization).toBeUndefined();
  const form = server.asked[0]!.body.toString('latin1');
  for (const [name, value] of [
    ['response_format', 'verbose_json'],
    ['language', 'auto'],
  ]) {
    expect(form).toContain(`name="${name}"\r\n\r\n${value}\r\n`);
  }
  expect(captions.language).toBe('de');
  expect(captions.segments[0]!.words).toEqual([
    { text: 'Guten', startMs: 100, endMs: 500, confidence: 80 },
    { text: 'Morgen!', startMs: 600, endMs: 1_200, confidence: 70 },
  ]);
});

test('Deepgram receives the sound only, and returns words with punctuation', async () => {
  server.answer = json({
    metadata: { request_id: 'a', duration: 2, channels: 1 },
    results: {
      channels: [
        {
          detected_language: 'es',
          language_confidence: 0.98,
          alternatives: [
            {
              transcript: 'Buenos días.',
              confidence: 0.95,
              words: [
                { word: 'buenos', start: 0.16, end: 0.5, confidence: 0.91, punctuated_word: 'Buenos' },
                { word: 'días', start: 0.5, end: 1.02, confidence: 0.99, punctuated_word: 'días.' },
              ],
            },
          ],
        },
      ],
    },
  });
  const captions = await server.caption(noise(2), { kind: 'deepgram' });
  const [{ url: path, headers, body } = expect.fail('nothing was sent')] = server.asked;
  expect(path).toBe('/v1/listen?model=nova-3&smart_format=true&detect_language=true');
  expect(headers).toMatchObject({ authorization: `Token ${key}`, 'content-type': 'audio/wav' });
  expect(body.toString('latin1', 0, 4)).toBe('RIFF');
  expect(captions).toMatchObject({ engine: { name: 'deepgram', version: 'nova-3' }, language: 'es' });
  expect(captions.segments).toMatchObject([{ text: 'Buenos días.', startMs: 160, endMs: 1_020, confidence: 95 }]);
});
