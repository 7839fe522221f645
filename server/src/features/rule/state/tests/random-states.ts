import type { NewRule } from '@earshot/contract/rule';
import type { DeviceState, StateLimit } from '@earshot/contract/rule-limits';
import { watchedStates } from '@earshot/contract/rule-limits';
import type { Chance } from '../../tests/same/chance.ts';
import type { Minutes, PlainDevice, PlainRule } from './plain.ts';

const dayMinutes = 24 * 60;

/** Spans one after the other, with time between them; the last one may go on. */
export function randomSpans(chance: Chance, begin: number, now: number, longest: number): Minutes[] {
  const spans: { from: number; to: number | undefined }[] = [];
  for (let at = begin + chance.between(0, longest); at < now;) {
    const to = at + chance.between(1, longest);
    spans.push({ from: at, to: to < now ? to : undefined });
    at = to + chance.between(1, longest);
  }
  return spans;
}

export function randomDevice(chance: Chance, now: number): PlainDevice {
  const created = chance.between(0, now - 30);
  const longest = chance.pick([20, 90, 600, 2_000]);
  const online = chance.oneIn(4) ? [] : randomSpans(chance, created, now, longest);
  const reports: PlainDevice['reports'][number][] = [];
  for (let at = created + chance.between(0, 300); at < now; at += chance.pick([1, 7, 45, 400, 2_000]))
    reports.push({
      at,
      battery: chance.oneIn(6) ? undefined : chance.between(0, 40),
      disk: chance.oneIn(6) ? undefined : chance.between(80, 100),
    });
  const failedEvents = Array.from({ length: chance.between(0, 6) }, () => chance.between(created, now - 1));
  const failedUploads = Array.from({ length: chance.between(0, 6) }, () => {
    const from = chance.between(created, now - 1);
    const to = from + chance.between(1, 2_000);
    return { from, to: to < now ? to : undefined };
  });
  return { created, online, reports, failedEvents, failedUploads, differences: randomSpans(chance, created, now, 400) };
}

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

export interface RandomRule {
  readonly plain: PlainRule;
  readonly rule: NewRule;
}

/** Of the given state, or of any. */
export function randomStateRule(chance: Chance, deviceIDs: number[], at: number): RandomRule {
  const state = watchedStates[at % watchedStates.length]!;
  const [name, limit] = randomLimit(chance, state);
  const withinHours = chance.pick([1, 5, 24, 168]);
  const hold = chance.pick([0, 0, 1, 20, 300]);
  const keep = chance.pick([0, 0, 1, 30, 600]);
  const from = chance.between(0, dayMinutes - 1);
  const active = chance.oneIn(2) ? [] : [{ from, to: (from + chance.between(1, dayMinutes)) % dayMinutes }];
  return {
    plain: { state, limit, within: withinHours * 60, hold, keep, active },
    rule: {
      ruleName: `${state} ${at}`,
      where: { deviceIDs },
      when: { state, [name]: limit, ...(name === 'failureCount' ? { withinHours } : {}) },
      activeTimes: active.map((time) => ({ from: clock(time.from), to: clock(time.to), timeZone: 'UTC' })),
      forSeconds: hold * 60,
      keepOpenSeconds: keep * 60,
    },
  };
}

function randomLimit(chance: Chance, state: DeviceState): readonly [StateLimit, number] {
  if (state === 'lowBattery') return ['belowPercent', chance.between(1, 40)];
  if (state === 'fullDisk') return ['abovePercent', chance.between(80, 99)];
  if (state === 'failedEvents' || state === 'failedUploads') return ['failureCount', chance.pick([1, 1, 2, 3])];
  return ['afterMinutes', chance.pick([1, 15, 60, 500])];
}
