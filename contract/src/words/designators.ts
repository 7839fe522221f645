/*
 * What letters stand for beside a number: E2774 is Engine 2774, I-95 is interstate 95, DLH452 is Lufthansa 452. A short
 * form finds the words, and the words find the short form.
 */

interface Designator {
  readonly letters: string;
  readonly words: readonly string[];
}

const parse = (lines: string): readonly Designator[] =>
  lines.split('|').map((line) => {
    const [letters = '', ...words] = line
      .trim()
      .split(':')
      .flatMap((part) => part.split(','));
    return { letters, words: words.map((word) => word.trim()) };
  });

/** Units of fire brigades and ambulances, roads, flight levels. */
const beforeNumber = parse(
  `e:engine|l:ladder|t:truck|tk:truck|m:medic|r:rescue|b:battalion|bc:battalion chief|a:ambulance|q:quint|sq:squad|
tw:tower|hr:heavy rescue|i:interstate|us:us highway,us route,us|sr:state route,state road|cr:county road,county route|
rte:route|rt:route|hwy:highway|fl:flight level`,
);

/** Runways. */
const afterNumber = parse('l:left|r:right|c:center,centre');

/** ICAO and IATA designators of airlines, and the names that they use on the radio. */
const airlines = parse(
  `dlh:lufthansa|lh:lufthansa|baw:speedbird|ba:speedbird|ual:united|ua:united|aal:american|aa:american|dal:delta|dl:delta|
swa:southwest|wn:southwest|jbu:jetblue,jet blue|asa:alaska|as:alaska|nks:spirit wings,spirit|nk:spirit wings,spirit|
fft:frontier flight,frontier|afr:airfrans,air france|af:airfrans,air france|klm:klm|kl:klm|ryr:ryanair|fr:ryanair|
ezy:easy|eju:alpine|u2:easy|aca:air canada|ac:air canada|wja:westjet|ws:westjet|fdx:fedex|fx:fedex|ups:ups|
uae:emirates|ek:emirates|qtr:qatari|qr:qatari|sia:singapore|sq:singapore|cpa:cathay|cx:cathay|qfa:qantas|qf:qantas|
ana:all nippon|nh:all nippon|jal:japan air|jl:japan air|thy:turkish|tk:turkish|ibe:iberia|ib:iberia|swr:swiss|lx:swiss|
aua:austrian|os:austrian|sas:scandinavian|sk:scandinavian|fin:finnair|ay:finnair|ein:shamrock|ei:shamrock|
vir:virgin|vs:virgin|skw:skywest|oo:skywest|rpa:brickyard|yx:brickyard|eny:envoy|mq:envoy|edv:endeavor|
jia:blue streak|asq:acey|qxe:horizon|tap:air portugal|tp:air portugal|ewg:eurowings|ew:eurowings|wzz:wizzair|dhk:world express`,
);

const allBefore = [...beforeNumber, ...airlines];

const find = (all: readonly Designator[], wanted: string): readonly string[] =>
  all.filter(({ letters }) => letters === wanted).flatMap(({ words }) => words);

/** The words for which letters stand before a number. */
export const wordsBefore = (letters: string): readonly string[] => find(allBefore, letters);

/** The words for which letters stand after the number of a runway. */
export const wordsAfter = (letters: string): readonly string[] => find(afterNumber, letters);

const runway = /^(?:0?[1-9]|[12][0-9]|3[0-6])$/u;
export const isRunway = (digits: string): boolean => runway.test(digits);

/** Whether letters mean this before a number although a blank is between them. Shorter ones are words more often. */
export const isDesignator = (letters: string): boolean =>
  (letters.length > 1 && beforeNumber.some((one) => one.letters === letters)) ||
  (letters.length > 2 && airlines.some((one) => one.letters === letters));

/** The letters for these words before a number. */
export const lettersBefore = (words: string): readonly string[] =>
  allBefore.filter((one) => one.words.includes(words)).map(({ letters }) => letters);

/** The letters for this word after the number of a runway. */
export const lettersAfter = (word: string): string | undefined =>
  afterNumber.find(({ words }) => words.includes(word))?.letters;

/** The number of words of the longest designator. */
export const longestDesignator = Math.max(
  ...allBefore.flatMap(({ words }) => words.map((one) => one.split(' ').length)),
);
