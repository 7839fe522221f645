import { parseArgs } from 'node:util';
import type { ConditionName } from './conditions.ts';
import { conditions } from './conditions.ts';
import { smallOption } from '../open-bench.ts';
import type { HalfName } from './halves.ts';
import { halfNames } from './halves.ts';
import type { ProfileName } from './goals.ts';
import { profileNames } from './goals.ts';

/** What is measured besides the conditions of English speech. */
const sets = ['foreign', 'sounds', 'times'] as const;
export type SetName = (typeof sets)[number];

export interface Options {
  readonly profiles: readonly ProfileName[];
  readonly labels: boolean;
  readonly conditions: readonly ConditionName[];
  readonly sets: readonly SetName[];
  readonly mostClips: number;
  readonly mostSounds: number;
  readonly shows: boolean;
  /** Whether Whisper hears what Moonshine stays unsure about in all conditions, not only in those of radio. */
  readonly third: boolean;
  readonly halves: readonly HalfName[];
  /** The folder of another checkout, whose engines are measured with the same files. */
  readonly against: string | undefined;
}

const conditionNames = Object.keys(conditions) as ConditionName[];

/** Values for options that are not given. */
export type OptionDefaults = Partial<Readonly<Record<'profile' | 'conditions' | 'clips' | 'sounds', string>>>;

export const usage = `npm run bench -- listening [options]
  --profile ${[...profileNames, 'labels'].join(',')}   engines to measure; all without it
  --conditions ${[...conditionNames, ...sets].join(',')}
                 conditions of English speech, foreign speech, sounds without speech, and word times of a synthetic voice
  --clips 12     at most so many clips of speech in each condition, spread over all sources
  --sounds 400   at most so many clips of ESC-50
  --third        moonshine with a third listen in all conditions (EARSHOT_THIRD_LISTEN=on)
  --half ${halfNames.join(',')}
                 the halves of the speakers; each is counted apart
  --against DIR  also measures the engines of another, built checkout with the same files
  --show         print the spoken and the written words of every clip with errors
  --small        a short run that shows that the bench works`;

/** Throws an error that names the option and the possible values. */
export function readOptions(args: readonly string[], defaults: OptionDefaults): Options {
  const { values: given } = parseArgs({
    args: [...args],
    options: {
      ...smallOption,
      profile: { type: 'string' },
      conditions: { type: 'string' },
      clips: { type: 'string' },
      sounds: { type: 'string' },
      show: { type: 'boolean', default: false },
      third: { type: 'boolean', default: false },
      half: { type: 'string' },
      against: { type: 'string' },
    },
  });
  const values = { ...defaults, ...given };
  const profiles = readList('profile', values.profile, [...profileNames, 'labels']);
  const halves = readList('half', values.half, halfNames);
  const parts = readList('conditions', values.conditions, [...conditionNames, ...sets]);
  return {
    profiles: profileNames.filter((name) => profiles.includes(name)),
    labels: profiles.includes('labels'),
    conditions: conditionNames.filter((name) => parts.includes(name)),
    sets: sets.filter((name) => parts.includes(name)),
    mostClips: readCount('clips', values.clips),
    mostSounds: readCount('sounds', values.sounds),
    shows: values.show,
    third: values.third,
    halves: halfNames.filter((name) => halves.includes(name)),
    against: values.against,
  };
}

function readList(option: string, value: string | undefined, known: readonly string[]): readonly string[] {
  const names = value?.split(',') ?? known;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`--${option}: “${unknown}” is unknown; use ${known.join(', ')}`);
  return names;
}

function readCount(option: string, value: string | undefined): number {
  if (value === undefined) return Infinity;
  if (!/^[1-9]\d*$/.test(value)) throw new Error(`--${option}: “${value}” is not a number from 1`);
  return Number(value);
}
