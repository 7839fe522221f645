import type { Goal } from '../open-bench.ts';

export const profileNames = ['moonshine', 'whisper'] as const;
export type ProfileName = (typeof profileNames)[number];

/** Notes a figure. One without a goal is only reported. */
export type Judge = (figureName: string, figure: number) => void;

const errors = (atMost: number): Goal => ({ atMost, unit: '%' });

/** Compared with another checkout (`--against`), in the held-out half. */
const fewerErrors = (condition: string, atLeast: number): Readonly<Record<string, Goal>> => ({
  [`moonshine, fewer word errors than before, ${condition}`]: { atLeast, unit: '%' },
});

const goalsOfProfile = (profile: ProfileName): Readonly<Record<string, Goal>> => ({
  [`${profile}, words per hour of silence, noise and tones`]: { atMost: 0, inAnySize: true },
  [`${profile}, words per hour of ESC-50 without human voices`]: { atMost: 5 },
  [`${profile}, foreign speech recognised as foreign`]: { atLeast: 95, unit: '%' },
  [`${profile}, English taken for foreign`]: { atMost: 1, unit: '%' },
  // Compared with a synthetic voice whose times are known.
  [`${profile}, median error of the start of a word`]: { atMost: 50, unit: 'ms' },
});

export const goals: Readonly<Record<string, Goal>> = {
  'moonshine, word errors, clean': errors(9),
  'moonshine, word errors, telephone': errors(9),
  'moonshine, word errors, radio20': errors(14),
  'moonshine, word errors, radio10': errors(28),
  'moonshine, word errors, reverberant': errors(10),
  ...fewerErrors('codec3200', 30),
  ...fewerErrors('codec1300', 15),
  ...fewerErrors('radio10', 12),
  'moonshine, seconds of clean speech per CPU second': { atLeast: 5 },
  ...goalsOfProfile('moonshine'),
  'whisper, word errors, clean': errors(4),
  'whisper, word errors, telephone': errors(5),
  'whisper, word errors, radio20': errors(9),
  ...goalsOfProfile('whisper'),
  // Figures of the training, which do not depend on this run.
  'labels, precision on held-out sounds of the training': { atLeast: 90, unit: '%', inAnySize: true },
  'labels, precision on sounds from other sources': { atLeast: 50, unit: '%' },
};
