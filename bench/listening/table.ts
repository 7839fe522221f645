import { markdownTable } from '../markdown-table.ts';
import type { ConditionName } from './conditions.ts';
import { conditions } from './conditions.ts';
import type { HalfName } from './halves.ts';
import type { ForeignFigures, InventedFigures } from './other-sound.ts';
import { quantile } from './scoring.ts';
import type { SpeechFigures } from './speech.ts';

export const percent = (part: number, whole: number): string =>
  whole > 0 ? `${((100 * part) / whole).toFixed(1)} %` : '–';

const milliseconds = (value: number): string => (Number.isNaN(value) ? '–' : `${value.toFixed(0)} ms`);

/** The share of word errors: substituted, added and missed words, of the spoken words. */
export const errorShare = ({ substituted, inserted, missed, said }: SpeechFigures): number =>
  (substituted + inserted + missed) / Math.max(1, said);

/** What an engine wrote for one half of the clips in one condition. */
export interface SpeechRow {
  readonly condition: ConditionName;
  readonly half: HalfName;
  readonly engine: string;
  readonly figures: SpeechFigures;
}

/** One line of the table for each condition of English speech, half and engine. */
export function speechTable(rows: readonly SpeechRow[]): string[] {
  const titles = [
    'English speech',
    'half',
    'engine',
    'words (clips)',
    'word errors (wrong, added, missed)',
    'empty clips',
    'taken for foreign',
    'doubtful words: wrong among them; share of the wrong words',
    'word starts: median, p95',
    'seconds of sound per CPU second (× fixed work)',
  ];
  return markdownTable(titles, rows.map(speechLine));
}

/** The cells of one line. */
export function speechLine({ condition, half, engine, figures }: SpeechRow): string[] {
  const { said, clips, substituted, inserted, missed, use } = figures;
  return [
    conditions[condition].title,
    half,
    engine,
    `${said} (${clips})`,
    `${(100 * errorShare(figures)).toFixed(1)} % (${substituted}, ${inserted}, ${missed})`,
    percent(figures.empty, clips),
    percent(figures.calledForeign, clips),
    `${percent(figures.doubtfulWrong, figures.doubtful)}; ${percent(figures.doubtfulWrong, figures.wrong)}`,
    [0.5, 0.95].map((part) => milliseconds(quantile(figures.startErrorsMs, part))).join(', '),
    `${(use.soundSeconds / use.cpuSeconds).toFixed(1)} (${(use.cpuSeconds / figures.referenceSeconds).toFixed(2)})`,
  ];
}

export function foreignLine({ clips, found, named, englishWords, ownWords }: ForeignFigures): string {
  return `- foreign speech, ${clips} clips: ${percent(found, clips)} recognised as foreign, language named in ${percent(named, clips)}; words written as English ${englishWords}, in the language of the clip ${ownWords}`;
}

export function inventedLine(title: string, figures: InventedFigures): string {
  const { clips, hours, words, clipsWithWords, wordlessSpeech } = figures;
  return `- ${title}, ${clips} clips: ${(words / hours).toFixed(1)} words per hour of sound; ${words} words in ${clipsWithWords} clips of ${hours.toFixed(2)} hours; speech without words marked ${wordlessSpeech} times`;
}
