import type { Comeback } from './outage.ts';
import type { SimulationResult } from './simulate.ts';
import type { DurationSummary } from './tally.ts';

const shownFaults = 10;

/** A row of the table of requests. */
export interface RequestRow extends DurationSummary {
  readonly name: string;
  readonly errors: number;
}

export function requestRows({ requests, errors }: SimulationResult): RequestRow[] {
  const errorsOf = (name: string) =>
    errors.filter(({ kind }) => kind.startsWith(`${name}: `)).reduce((sum, { count }) => sum + count, 0);
  const names = [...new Set([...Object.keys(requests), ...errors.map(({ kind }) => kind.split(': ')[0] ?? '')])];
  const none: DurationSummary = { count: 0, medianMs: 0, p99Ms: 0, maxMs: 0 };
  return names
    .map((name) => ({ name, errors: errorsOf(name), ...(requests[name] ?? none) }))
    .toSorted((a, b) => b.count - a.count);
}

/** The facts below the table, as pairs of a label and a text. */
export function factsOf(result: SimulationResult): (readonly [label: string, text: string])[] {
  const { check, server, lateness, comeback } = result;
  const heldPercent = (100 * result.startedActions) / Math.max(1, result.dueActions);
  return [
    [
      'Devices',
      `${number(result.devices)} for ${result.seconds} s, ${number(result.requestsPerSecond)} requests a second`,
    ],
    [
      'Rate held',
      `${heldPercent.toFixed(2)} % of ${number(result.dueActions)} scheduled actions started; ` +
        `late by ${lateness.medianMs} ms (median), ${lateness.p99Ms} ms (99 %), ${lateness.maxMs} ms (most)`,
    ],
    ...(comeback ? [['Came back', describeComeback(comeback)] as const] : []),
    ['Clips', `${number(check.announcedClips)} announced`],
    ['Events', `${number(check.sentEvents)} sent`],
    ['Sound', `${number(check.uploadedClips)} uploaded, downloaded again and compared by SHA-256`],
    ...(server ? serverFacts(server) : [['Server', 'no metrics could be read'] as const]),
    ['This program', `${result.simulatorCpuSeconds.toFixed(1)} s of processor time`],
    [
      'Removed',
      result.removedDevices === 0 ? 'nothing' : `${number(result.removedDevices)} devices and what belongs to them`,
    ],
  ];
}

const describeComeback = ({ seconds, medianSeconds, p95Seconds, mostSeconds, turnedAway, missing }: Comeback): string =>
  `after ${seconds} s; first good answer after ${medianSeconds} s (median), ${p95Seconds} s (95 %), ${mostSeconds} s (most); ` +
  `${number(turnedAway)} requests were asked to come later` +
  (missing === 0 ? '' : `; ${number(missing)} devices had none`);

function serverFacts(server: NonNullable<SimulationResult['server']>): (readonly [string, string])[] {
  const { nodeMegabytes: node, familyMegabytes: family } = server;
  return [
    [
      'Server memory',
      `${node.first} MB at first, ${node.last} MB at last, ${node.most} MB at most; ` +
        `${server.nodeMegabytesPerMinute} MB a minute`,
    ],
    ...(family ? [['With database', `${family.first} MB, ${family.last} MB, ${family.most} MB`] as const] : []),
    [
      'Server processor',
      `${(server.familyCpuSeconds ?? server.nodeCpuSeconds).toFixed(1)} s` +
        (server.familyCpuSeconds === undefined
          ? ' (the node alone)'
          : `, the node ${server.nodeCpuSeconds.toFixed(1)} s`) +
        `; ${server.cpuSecondsPerDeviceHour.toFixed(2)} s for each device and hour`,
    ],
  ];
}

/** What went wrong, or one line that says that nothing did. */
export function verdictOf({ errors, check, isGood }: SimulationResult): string[] {
  if (isGood)
    return ['No errors. Every clip is listed once, every event was taken once and ended once, all sound is equal.'];
  const left = check.faults.length - shownFaults;
  return [
    ...errors.map(({ kind, count, example }) => `${count} × ${kind} (${example})`),
    ...check.faults.slice(0, shownFaults),
    ...(left > 0 ? [`and ${left} more`] : []),
  ];
}

const number = (value: number): string => Math.round(value).toLocaleString('en');
