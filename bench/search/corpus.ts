/*
 * Text for the benchmark: words with the frequencies of a natural language (the word of rank n has 1/n of the frequency
 * of the first). The most common ones are English, the others are made of syllables. Every third caption also says a
 * number, in digits or digit by digit, as radio and telephone calls do; a few numbers are said very often. The same seed
 * gives the same text.
 */

export const commonWords =
  `the of and to a in is it you that he was for on are with as i his they be at one have this from or had by but what
some we can out other were all there when up use your how said an each she which do their time if will way about many then
them write would like so these her long make thing see him two has look more day could go come did number sound no most people
my over know water than call first who may down side been now find any new work part take get place made live where after back
little only round man year came show every good me give our under name very through just form sentence great think say help low
line differ turn cause much mean before move right boy old too same tell does set three want air well also play small end put home
read hand port large spell add even land here must big high such follow act why ask men change went light kind off need house
picture try us again animal point mother world near build self earth father head stand own page should country found answer
school grow study still learn plant cover food sun four between state keep eye never last let thought city tree cross farm hard
start might story saw far sea draw left late run while press close night real life few north open seem together next white
children begin got walk example ease paper group always music those both mark often letter until mile river car feet care second
book carry took science eat room friend began idea fish mountain stop once base hear horse cut sure watch color face wood main
enough plain girl usual young ready above ever red list though feel talk bird soon body dog family direct pose leave song measure
door product black short numeral class wind question happen complete ship area half rock order fire south problem piece told knew
pass since top whole king space heard best hour better true during hundred five remember step early hold west ground interest reach
fast verb sing listen six table travel less morning ten simple several vowel toward war lay against pattern slow center love person
money serve appear road map rain rule govern pull cold notice voice unit power town fine certain fly fall lead cry dark machine note
wait plan figure star box noun field rest correct able pound done beauty drive stood contain front teach week final gave green oh
quick develop ocean warm free minute strong special mind behind clear tail produce fact street inch multiply nothing course stay
wheel full force blue object decide surface deep moon island foot system busy test record boat common gold possible plane stead dry
wonder laugh thousand ago ran check game shape equate hot miss brought heat snow tire bring yes distant fill east paint language
among`.split(/\s+/);

const digitWords = 'zero one two three four five six seven eight nine'.split(' ');
const usualNumbers = ['911', '10 4', '96', '104', '7'];
const numberShare = 1 / 3;
const usualShare = 1 / 3;
const largestNumber = 2_000;

const onsets = 'b br c ch cl d dr f fl g gr h j k l m n p pl qu r s sc sh sl sp st t th tr v w y z'.split(' ');
const vowels = 'a a a e e e e i i i o o o u u ai ea ee ou'.split(' ');
const codas = ['', '', '', '', '', '', 'n', 'r', 's', 't', 'l', 'd', 'm', 'nd', 'ng', 'st', 'x', 'p'];
const endings = ['', '', '', '', '', '', '', 'ing', 'ed', 's', 's', 'er', 'ly', 'tion', 'ness', 'y'];

export type Random = () => number;

/** Mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface Corpus {
  /** By rank. */
  readonly words: readonly string[];
  /** All words that captions may contain. */
  readonly spoken: readonly string[];
  say(random: Random): string[];
}

const vocabularySize = 60_000;
/** Frequent words are short. */
const frequent = 5_000;
const shortest = 20;
const longest = 60;

export function createCorpus(): Corpus {
  const random = seededRandom(7);
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!;
  const words = new Set(commonWords);
  while (words.size < vocabularySize) {
    const syllables = Array.from(
      { length: words.size < frequent ? 1 + Math.round(random() * 0.8) : 2 + Math.round(random() * 0.8) },
      () => pick(onsets) + pick(vowels) + pick(codas),
    );
    words.add(syllables.join('') + pick(endings));
  }
  const ranked = [...words];
  const sums = new Float64Array(ranked.length);
  let sum = 0;
  for (let rank = 0; rank < sums.length; rank++) sums[rank] = sum += 1 / (rank + 2.7);
  const say = (chance: Random): string[] => {
    const length = shortest + Math.floor(chance() * (longest - shortest + 1));
    const said = Array.from({ length }, () => ranked[rankAt(sums, chance() * sum)]!);
    if (chance() < numberShare) said.splice(Math.floor(chance() * length), 0, ...sayNumber(chance));
    return said;
  };
  return { words: ranked, spoken: [...new Set([...ranked, ...digitWords])], say };
}

function sayNumber(chance: Random): string[] {
  const isUsual = chance() < usualShare;
  const number = isUsual
    ? usualNumbers[Math.floor(chance() * usualNumbers.length)]!
    : String(Math.floor(chance() * largestNumber));
  if (chance() < 0.5) return number.split(' ');
  return Array.from(number.replaceAll(' ', ''), (digit) => digitWords[Number(digit)]!);
}

function rankAt(sums: Float64Array, at: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
