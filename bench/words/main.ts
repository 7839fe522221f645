// Which of many texts, as the words of rules, match a caption: those kept under a word of the caption by their necessary
// words, compared with comparing every text. The texts are words and phrases, numbers and codes; not the most common words, which nobody wants to be told of.
import type { SpokenText } from '@earshot/contract/words/public';
import { findMatch, necessaryWords, readTerms, readText } from '@earshot/contract/words/public';
import { openBench } from '../open-bench.ts';
import { createCorpus, seededRandom } from '../search/corpus.ts';
import { createQuestions } from '../search/questions.ts';

const bench = openBench({
  name: 'words',
  goals: {
    'time of all texts, as a ratio to those with a necessary word': { atLeast: 10 },
    'matches that were missed': { atMost: 0, inAnySize: true },
  },
  sizes: { usual: { texts: 10_000, captions: 300 }, small: { texts: 200, captions: 20 } },
});
const { texts, captions } = bench.size;

const corpus = createCorpus();
const kinds = createQuestions(corpus, Math.ceil(texts / 15))
  .filter(({ name }) => !name.includes('common'))
  .flatMap((question) => question.texts);
const rules = kinds.slice(0, texts).map((text) => readTerms(text, 'words'));
const kept = new Map<string, number[]>();
for (const [rule, terms] of rules.entries())
  for (const word of necessaryWords(terms)) kept.set(word, [...(kept.get(word) ?? []), rule]);

const random = seededRandom(3);
const said = Array.from({ length: captions }, () => readText(corpus.say(random).join(' ')));

let compared = 0;
const every = timed((text) => rules.flatMap((terms, rule) => (findMatch(text, terms) ? [rule] : [])));
const some = timed((text) => {
  const candidates = new Set(text.words.flatMap((word) => kept.get(word.text) ?? []));
  compared += candidates.size;
  return [...candidates].filter((rule) => findMatch(text, rules[rule]!) !== undefined);
});

bench.say(`${texts} texts, ${captions} captions: ${(every.ms / captions).toFixed(2)} ms a caption for all texts`);
bench.judge('time of all texts, as a ratio to those with a necessary word', every.ms / some.ms, {
  details: `${(some.ms / captions).toFixed(3)} ms a caption, ${(compared / captions).toFixed(0)} texts compared`,
});
bench.judge('matches that were missed', every.matches - some.matches, { details: `of ${every.matches}` });
bench.end();

function timed(match: (text: SpokenText) => readonly number[]) {
  const start = performance.now();
  let matches = 0;
  for (const text of said) matches += match(text).length;
  return { ms: performance.now() - start, matches };
}
