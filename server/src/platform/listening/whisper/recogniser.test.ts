import { Tensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { silence } from '../../../testing/speech.ts';
import { mostPositions } from './context.ts';
import type { ControlTokens } from './control-tokens.ts';
import { createWhisperRecogniser } from './recogniser.ts';
import type { Vocabulary } from './vocabulary.ts';
import type { Step, Whisper } from './whisper.ts';

/* The decisions around the model, with a model whose answers the tests decide. */

const never = new AbortController().signal;
const [end, start, english, german, transcribe, noTimes] = [20, 21, 22, 23, 24, 25];
const control: ControlTokens = {
  languages: new Map([
    [english, 'en'],
    [german, 'de'],
  ]),
  languageTokens: new Map([
    ['en', english],
    ['de', german],
  ]),
  transcribe,
  noTimes,
  start,
  end,
  never: [],
  neverFirst: [end],
  alignmentHeads: [[0, 0]],
};
/** Each token is a word: its language and number. */
const vocabulary: Vocabulary = {
  write: (tokens, language) =>
    tokens.map(({ id, logProbability }, at) => ({ text: `${language}${id}`, logProbability, from: at, to: at + 1 })),
  terms: { encode: (term) => [Number(term)], endsWord: () => true },
};

/** Matches nothing, so that the attention gives the times. */
const aligner = { align: () => undefined };

interface Answers {
  /** The probability of German in the sound. */
  readonly german?: number;
  /** The tokens that are written for a context. */
  readonly write: (positions: number) => readonly number[];
  /** For some tokens, another one that is nearly as likely. */
  readonly instead?: Readonly<Record<number, number>>;
}

function open({ german: pGerman = 0, write, instead = {} }: Answers) {
  const contexts: number[] = [];
  const whisper: Whisper = {
    release: () => Promise.resolve(),
    encode(_, positions) {
      contexts.push(positions);
      return Promise.resolve(new Tensor('float32', new Float32Array(positions), [1, positions, 1]));
    },
    begin({ dims }, prompt) {
      const likeliest = [...write(dims[1]!), end];
      const step = (ids: readonly number[], written: readonly number[]): Step => {
        const scores = ids.map(() => new Float32Array(30).fill(-50));
        scores[0]![english] = Math.log(1 - pGerman);
        scores[0]![german] = Math.log(pGerman);
        scores.at(-1)![likeliest[written.length] ?? end] = 0;
        const other = instead[likeliest[written.length] ?? end];
        if (other !== undefined) scores.at(-1)![other] = -2;
        const attention = [new Float32Array(dims[1]!).fill(1)];
        return { scores, attention, next: (token) => Promise.resolve(step([token], [...written, token])) };
      };
      return Promise.resolve(step(prompt, []));
    },
  };
  return { recogniser: createWhisperRecogniser({ whisper, vocabulary, control, aligner }), contexts };
}

const loop = [1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3];
const textsOf = ({ words }: { readonly words: readonly { readonly text: string }[] }) => words.map(({ text }) => text);

test('only as much context is encoded as the sound needs', async () => {
  const { recogniser, contexts } = open({ write: () => [1, 2] });
  const recognised = await recogniser.recognise(silence(5), never, { language: 'en' });
  expect(textsOf(recognised)).toEqual(['en1', 'en2']);
  expect(recognised.places).toHaveLength(2);
  await recogniser.recognise(silence(29.9), never, { language: 'en' });
  expect(contexts).toEqual([300, mostPositions]);
});

test.each([
  ['more context', 550, [300, 550]],
  ['the whole context', mostPositions, [300, 550, mostPositions]],
])('a loop is heard again with %s', async (_, enough, expected) => {
  const { recogniser, contexts } = open({ write: (positions) => (positions >= enough ? [7, 8, 9] : loop) });
  const recognised = await recogniser.recognise(silence(5), never, { language: 'en' });
  expect(recognised.isNonsense).toBe(false);
  expect(textsOf(recognised)).toEqual(['en7', 'en8', 'en9']);
  expect(contexts).toEqual(expected);
});

test('a loop that stays has no words, and is marked', async () => {
  const { recogniser } = open({ write: () => loop });
  expect(await recogniser.recognise(silence(5), never, { language: 'en' })).toMatchObject({
    words: [],
    isNonsense: true,
  });
});

test('a stretch in another language than its clip is written in that language', async () => {
  const foreign = open({ german: 0.96, write: () => [1] }).recogniser;
  const recognised = await foreign.recognise(silence(5), never, { language: 'en' });
  expect(recognised.language).toBe('de');
  expect(textsOf(recognised)).toEqual(['de1']);
  // Too short to decide.
  expect((await foreign.recognise(silence(1), never, { language: 'en' })).language).toBe('en');
  const unsure = open({ german: 0.9, write: () => [1] }).recogniser;
  expect((await unsure.recognise(silence(5), never, { language: 'en' })).language).toBe('en');
  expect((await unsure.recognise(silence(5), never, { language: 'de' })).language).toBe('de');
});

test.each([
  [undefined, 'en'],
  ['de-AT', 'de'],
  ['xx', 'en'],
])('the given language %s is taken for %s', async (given, language) => {
  const { recogniser } = open({ german: 0.5, write: () => [1] });
  expect((await recogniser.recognise(silence(5), never, { language: given })).language).toBe(language);
});

test('a term of the vocabulary is written if it is nearly as likely, and what was heard is kept', async () => {
  const { recogniser } = open({ write: () => [1, 2, 3], instead: { 2: 9 } });
  const without = await recogniser.recognise(silence(5), never, { language: 'en' });
  expect(textsOf(without)).toEqual(['en1', 'en2', 'en3']);
  const recognised = await recogniser.recognise(silence(5), never, { language: 'en', vocabulary: ['9'] });
  expect(recognised.words.map(({ text, heardAs }) => [text, heardAs])).toEqual([
    ['en1', undefined],
    ['en9', 'en2'],
    ['en3', undefined],
  ]);
  expect(recognised.words[1]!.logProbability).toBeLessThan(-2);
  // The vocabulary does not decide whether the speech was understood.
  expect(recognised.logProbability).toBe(without.logProbability);
  expect(recognised.places).toHaveLength(3);
  expect(await recogniser.recognise(silence(5), never, { language: 'en', vocabulary: ['8'] })).toEqual(without);
});

test('a vocabulary turns no text into a loop, and no loop into a text', async () => {
  const looping = open({ write: () => loop, instead: { 2: 9 } }).recogniser;
  expect(await looping.recognise(silence(5), never, { language: 'en', vocabulary: ['9'] })).toMatchObject({
    words: [],
    isNonsense: true,
  });
});
