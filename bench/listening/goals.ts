import type { ConditionName } from './conditions.ts';

/** The goals that a profile is judged by; a figure without a goal is only reported. */
export interface Goals {
  /** The highest share of word errors. */
  readonly wordErrors: Partial<Record<ConditionName, number>>;
  /** The fewest seconds of clean speech per CPU second. */
  readonly secondsPerCpuSecond?: number;
  /** The most words that are written for an hour of ESC-50 without human voices. */
  readonly inventedPerHour: number;
  /** The least share of foreign speech that is recognised as foreign. */
  readonly foreignFound: number;
  /** The highest share of English clips, in any condition, that are taken for foreign. */
  readonly calledForeign: number;
  /** The highest median error of the start of a word, compared with a synthetic voice whose times are known. */
  readonly wordStartMs: number;
}

const common = { inventedPerHour: 5, foreignFound: 0.95, calledForeign: 0.01, wordStartMs: 50 };

export const goals = {
  moonshine: {
    ...common,
    wordErrors: { clean: 0.09, telephone: 0.09, radio20: 0.14, radio10: 0.28, reverberant: 0.1 },
    secondsPerCpuSecond: 5,
  },
  whisper: { ...common, wordErrors: { clean: 0.04, telephone: 0.05, radio20: 0.09 } },
} as const satisfies Record<string, Goals>;

export type ProfileName = keyof typeof goals;

/** The least share of reported labels that are right: on held-out clips of ESC-50, and on sounds outside of it. */
export const labelGoals = { precision: 0.9, precisionOutside: 0.5 };
