import { speakWord } from '@earshot/server/platform/listening/embedded/spoken-words';

export interface Score {
  readonly said: number;
  readonly substituted: number;
  readonly inserted: number;
  readonly missed: number;
  /** The indexes of correct words, in the spoken and in the transcribed text. */
  readonly matches: readonly (readonly [said: number, heard: number])[];
}

/** Words in their spoken form, so that “1813” and “eighteen thirteen” are equal. */
export const spokenWords = (text: string): string[] =>
  text.split(/\s+/).flatMap((word) => speakWord(word).map((spoken) => spoken.replace(/'/g, '')));

/** The shortest sequence of edits from the spoken to the transcribed text. */
export function compareWords(said: readonly string[], heard: readonly string[]): Score {
  const width = heard.length + 1;
  const costs = new Uint32Array((said.length + 1) * width);
  const at = (row: number, column: number) => costs[row * width + column]!;
  for (let row = 0; row <= said.length; row++) {
    for (let column = 0; column <= heard.length; column++) {
      const isSame = said[row - 1] === heard[column - 1];
      const ways = [
        row > 0 && column > 0 ? at(row - 1, column - 1) + (isSame ? 0 : 1) : Infinity,
        row > 0 ? at(row - 1, column) + 1 : Infinity,
        column > 0 ? at(row, column - 1) + 1 : Infinity,
      ];
      costs[row * width + column] = row === 0 && column === 0 ? 0 : Math.min(...ways);
    }
  }
  const score = { said: said.length, substituted: 0, inserted: 0, missed: 0, matches: [] as [number, number][] };
  for (let row = said.length, column = heard.length; row > 0 || column > 0;) {
    const cost = at(row, column);
    const isSame = row > 0 && column > 0 && said[row - 1] === heard[column - 1];
    if (isSame && at(row - 1, column - 1) === cost) score.matches.unshift([--row, --column]);
    else if (row > 0 && column > 0 && at(row - 1, column - 1) + 1 === cost) {
      score.substituted += 1;
      row -= 1;
      column -= 1;
    } else if (row > 0 && at(row - 1, column) + 1 === cost) {
      score.missed += 1;
      row -= 1;
    } else {
      score.inserted += 1;
      column -= 1;
    }
  }
  return score;
}

export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};
