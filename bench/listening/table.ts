import type { ConditionName } from './conditions.ts';
import { conditions } from './conditions.ts';
import type { Goals } from './goals.ts';
import type { ForeignFigures, InventedFigures } from './other-sound.ts';
import { quantile } from './scoring.ts';
import type { SpeechFigures } from './speech.ts';

/** Notes a goal and answers `ok` or `NOT MET`. */
export type Judge = (isGood: boolean) => string;

export const percent = (part: number, whole: number): string =>
  whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : '–';

const milliseconds = (value: number): string => (Number.isNaN(value) ? '–' : `${value.toFixed(0)} ms`);

/** The share of word errors: substituted, added and missed words, of the spoken words. */
export const errorShare = ({ substituted, inserted, missed, said }: SpeechFigures): number =>
  (substituted + inserted + missed) / Math.max(1, said);

/** One line of the table for each condition of English speech. */
export function speechTable(rows: ReadonlyMap<ConditionName, SpeechFigures>, goals: Goals, judge: Judge): string[] {
  const titles = [
    'English speech',
    'words (clips)',
    'word errors (wrong, added, missed)',
    'goal',
    'empty clips',
    'taken for foreign',
    'doubtful words: wrong among them; share of the wrong words',
    'word starts: median, p95',
    'seconds of sound per CPU second (× fixed work)',
  ];
  const lines = [...rows].map(([name, figures]) => speechLine(name, figures, goals, judge));
  return markdownTable(titles, lines);
}

/** The cells of one condition. */
export function speechLine(name: ConditionName, figures: SpeechFigures, goals: Goals, judge?: Judge): string[] {
  const { said, clips, substituted, inserted, missed, use } = figures;
  const goal = goals.wordErrors[name];
  const share = errorShare(figures);
  const verdict = judge && goal !== undefined ? `, ${judge(share <= goal)}` : '';
  return [
    conditions[name].title,
    `${said} (${clips})`,
    `${(100 * share).toFixed(1)} % (${substituted}, ${inserted}, ${missed})`,
    goal === undefined ? '' : `${(100 * goal).toFixed(0)} %${verdict}`,
    percent(figures.empty, clips),
    percent(figures.calledForeign, clips),
    `${percent(figures.doubtfulWrong, figures.doubtful)}; ${percent(figures.doubtfulWrong, figures.wrong)}`,
    [0.5, 0.95].map((part) => milliseconds(quantile(figures.startErrorsMs, part))).join(', '),
    `${(use.soundSeconds / use.cpuSeconds).toFixed(1)} (${(use.cpuSeconds / figures.referenceSeconds).toFixed(2)})`,
  ];
}

/** Figures about foreign speech, as lines of text. */
export function foreignLines(figures: ForeignFigures, goals: Goals, judge: Judge): string[] {
  const { clips, found, named, englishWords, ownWords } = figures;
  const verdict = `goal ${100 * goals.foreignFound} %, ${judge(found / clips >= goals.foreignFound)}`;
  return [
    `- foreign speech, ${clips} clips: ${percent(found, clips)} recognised as foreign (${verdict}), language named in ${percent(named, clips)}; words written as English ${englishWords}, in the language of the clip ${ownWords}`,
  ];
}

export function inventedLine(title: string, figures: InventedFigures, goal: number | undefined, judge: Judge): string {
  const { clips, hours, words, clipsWithWords, wordlessSpeech } = figures;
  const perHour = words / hours;
  const verdict = goal === undefined ? '' : ` (goal ${goal}, ${judge(perHour <= goal)})`;
  return `- ${title}, ${clips} clips: ${perHour.toFixed(1)} words per hour of sound${verdict}; ${words} words in ${clipsWithWords} clips of ${hours.toFixed(2)} hours; speech without words marked ${wordlessSpeech} times`;
}

export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(titles), `|${'---|'.repeat(titles.length)}`, ...rows.map(line)];
}
