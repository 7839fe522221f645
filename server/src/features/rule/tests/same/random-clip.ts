import type { Chance } from './chance.ts';
import type { PlainClip, PlainSound } from './plain.ts';

/** Few values, so that rules and clips meet, and so that the ends of ranges are met exactly. */
export const spokenWords = [
  'fire',
  'fires',
  'truck',
  'gate',
  '911',
  'nine',
  'K9',
  'e-mail',
  'north',
  'doctor',
  'all clear',
];
const otherWords = ['fired', 'gated', 'northern', 'water', 'the', 'one', 'dr', 'eleven', 'k', 'email', 'trucks'];
export const tagNames = ['Siren', 'siren', 'Dog', 'FOGHORN', 'Äther'];
/** The windows of all rules, so that clips can be placed at their edges. */
export const windowSeconds = [2, 60];
export const seconds = [0, 1, 2, 2.5, 4, 10];
export const levels = [-60, -30.25, -20, -9.24, 0];
export const percents = [0, 0.01, 1, 100];
export const talkgroups = [7, 4521, 9000];
export const units = [1, 701, 702];
export const zones = ['Europe/Zurich', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'UTC'];

const hourMs = 3_600_000;

export interface Night {
  readonly zone: string;
  readonly atMs: number;
}

/** The nights in which the clocks change, by their zone: about the moment of the change. */
export const changeNights: readonly Night[] = [
  { zone: 'Europe/Zurich', atMs: Date.parse('2026-03-29T01:00:00Z') },
  { zone: 'Europe/Zurich', atMs: Date.parse('2026-10-25T01:00:00Z') },
  { zone: 'America/New_York', atMs: Date.parse('2026-03-08T07:00:00Z') },
  { zone: 'America/New_York', atMs: Date.parse('2026-11-01T06:00:00Z') },
  { zone: 'Australia/Lord_Howe', atMs: Date.parse('2026-04-04T15:00:00Z') },
  { zone: 'Australia/Lord_Howe', atMs: Date.parse('2026-10-03T15:30:00Z') },
];

export const isInNight = (atMs: number, startMs: number): boolean => Math.abs(startMs - atMs) <= 2 * hourMs;

/** Near a night of a clock change, or at the edge of a window of another clip. */
export function randomStart(
  chance: Chance,
  nights: readonly { readonly atMs: number }[],
  clips: readonly PlainClip[],
): number {
  if (clips.length > 0 && !chance.oneIn(3)) {
    const { startMs } = chance.pick(clips);
    if (chance.oneIn(4)) return startMs;
    const sign = chance.pick([-1, 1]);
    if (chance.oneIn(2)) return startMs + sign * (chance.pick(windowSeconds) * 1_000 + chance.pick([-1, -1, 0, 1]));
    return startMs + sign * chance.between(1, 70_000);
  }
  const { atMs } = chance.pick(nights);
  const minute = chance.between(-120, 120);
  return atMs + minute * 60_000 + (chance.oneIn(2) ? 0 : chance.pick([-1, 1, 500, 59_999]));
}

export function randomTranscript(chance: Chance): string {
  const said = Array.from({ length: chance.between(1, 7) }, () =>
    chance.oneIn(3) ? chance.pick(otherWords) : chance.pick(spokenWords),
  );
  return said.join(chance.oneIn(5) ? ', ' : ' ');
}

export const noFacts: PlainSound = {
  isSilent: undefined,
  speechSeconds: undefined,
  levelDb: undefined,
  clippedPercent: undefined,
};

export function randomSound(chance: Chance): PlainSound {
  if (chance.oneIn(8)) return noFacts;
  if (chance.oneIn(5)) return { isSilent: true, speechSeconds: 0, levelDb: undefined, clippedPercent: 0 };
  return {
    isSilent: false,
    speechSeconds: chance.oneIn(6) ? undefined : chance.pick(seconds),
    levelDb: chance.pick(levels),
    clippedPercent: chance.pick(percents),
  };
}

export const randomCall = (chance: Chance): NonNullable<PlainClip['call']> => ({
  talkgroup: chance.pick(talkgroups),
  units: chance.oneIn(4) ? [] : chance.some(units, 2),
  isEmergency: chance.oneIn(4),
});
