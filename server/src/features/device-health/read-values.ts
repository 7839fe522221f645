import type { HealthVariable } from '@earshot/contract/health-variables';
import { shortTextLength } from '@earshot/contract/values';
import { plausibleTime } from '../../platform/device-clock.ts';

/*
 * Reads the known values from the text of a health report. Devices of several makers send it, so each value has several
 * names, and may be at any depth. A name is compared in lower case without signs, alone and after the name of the object
 * around it: `batteryPercent`, `battery_percent` and `{"battery": {"percent": …}}` are the same. The description of
 * `POST /v1/devicehealth` lists the names.
 */

const mostDepth = 6;

export interface HealthTexts {
  readonly batteryStatus: string | undefined;
  readonly linkQuality: string | undefined;
  readonly accessPointName: string | undefined;
}

export interface HealthPosition {
  readonly latitude: number;
  readonly longitude: number;
  readonly accuracy: number | undefined;
}

export interface HealthFacts {
  /** The time that the report names, if it can be right. */
  readonly date: Date | undefined;
  readonly numbers: Readonly<Record<HealthVariable, number | undefined>>;
  readonly texts: HealthTexts;
  readonly position: HealthPosition | undefined;
}

type Range = readonly [least: number, most: number];
interface NumberNames {
  readonly range: Range;
  /** The first name that the report has counts. The factor converts from the unit in the name. */
  readonly names: Readonly<Record<string, number>>;
}

const named = (range: Range, ...names: readonly string[]): NumberNames => ({
  range,
  names: Object.fromEntries(names.map((name) => [name, 1])),
});

const percent: Range = [0, 100];
const celsius: Range = [-100, 200];
const bytes: Range = [0, Number.MAX_SAFE_INTEGER];

const numberNames: Readonly<Record<HealthVariable, NumberNames>> = {
  batteryPercent: named(
    percent,
    'batterypercent',
    'batterypercentage',
    'batterylevel',
    'batterysoc',
    'batterycharge',
    'batterycapacity',
  ),
  batteryVoltage: named([0, 1_000], 'batteryvoltage', 'batteryvolts', 'batteryv'),
  cpuTemp: named(
    celsius,
    'cputemp',
    'cputemperature',
    'temperaturecpu',
    'tempcpu',
    'soctemp',
    'soctemperature',
    'temperature',
    'temp',
  ),
  gpuTemp: named(celsius, 'gputemp', 'gputemperature', 'temperaturegpu', 'tempgpu'),
  cpuPercent: named(percent, 'cpupercent', 'cpuusage', 'cpuusagepercent', 'cpuutilization', 'cpuloadpercent'),
  loadAverage: named([0, 100_000], 'loadaverage', 'loadavg', 'load1', 'load1m', 'load'),
  diskUsedPercent: named(percent, 'diskpercent', 'diskusedpercent', 'diskusage', 'diskusagepercent'),
  diskFreeBytes: {
    range: bytes,
    names: { diskfreebytes: 1, diskfree: 1, diskavailable: 1, diskfreekb: 1e3, diskfreemb: 1e6, diskfreegb: 1e9 },
  },
  signalStrength_dBm: named(
    [-200, 0],
    'signalstrengthdbm',
    'signaldbm',
    'signallevel',
    'signalstrength',
    'networksignal',
    'wifisignal',
    'rssi',
  ),
};

const textNames: Readonly<Record<keyof HealthTexts, readonly string[]>> = {
  batteryStatus: ['batterystatus', 'batterystate'],
  linkQuality: ['linkquality'],
  accessPointName: ['accesspointname', 'ssid', 'essid'],
};

interface Leaves {
  readonly numbers: Map<string, number>;
  readonly texts: Map<string, string>;
  position: HealthPosition | undefined;
}

export function readHealthText(text: string): HealthFacts {
  const report = parseLeniently(text);
  const leaves: Leaves = { numbers: new Map(), texts: new Map(), position: undefined };
  collect(report, '', 0, leaves);
  return {
    date: plausibleTime(timeOf(report)),
    numbers: numbersIn(leaves.numbers),
    texts: {
      batteryStatus: textIn(leaves, 'batteryStatus'),
      linkQuality: textIn(leaves, 'linkQuality'),
      accessPointName: textIn(leaves, 'accessPointName'),
    },
    position: leaves.position,
  };
}

/** Python writes NaN and Infinity, which are not JSON; only those values are lost then. */
function parseLeniently(text: string): unknown {
  for (const attempt of [text, text.replaceAll(/-?\b(?:NaN|Infinity)\b/g, 'null')]) {
    try {
      return JSON.parse(attempt) as unknown;
    } catch {
      // The report is stored without values.
    }
  }
  return undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function timeOf(report: unknown): number | undefined {
  const time = isObject(report) ? report['time'] : undefined;
  const datetime = isObject(time) ? time['datetime'] : undefined;
  return typeof datetime === 'number' ? datetime : undefined;
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

function collect(value: unknown, parent: string, depth: number, leaves: Leaves): void {
  if (!isObject(value) || depth > mostDepth) return;
  if (Array.isArray(value)) {
    for (const entry of value as readonly unknown[]) collect(entry, parent, depth + 1, leaves);
    return;
  }
  leaves.position ??= positionIn(value);
  for (const [key, child] of Object.entries(value)) {
    const name = plainName(key);
    const leaf: unknown = Array.isArray(child) ? child[0] : child;
    for (const known of [name, parent + name]) {
      if (typeof leaf === 'number' && !leaves.numbers.has(known)) leaves.numbers.set(known, leaf);
      if (typeof leaf === 'string' && !leaves.texts.has(known)) leaves.texts.set(known, leaf);
    }
    collect(child, name, depth + 1, leaves);
  }
}

const inRange = (value: unknown, [least, most]: Range): value is number =>
  typeof value === 'number' && value >= least && value <= most;

function positionIn(object: Readonly<Record<string, unknown>>): HealthPosition | undefined {
  const fields = new Map(Object.entries(object).map(([key, value]) => [plainName(key), value]));
  const first = (...names: readonly string[]) =>
    names.map((name) => fields.get(name)).find((value) => value !== undefined);
  const [latitude, longitude] = [first('latitude', 'lat'), first('longitude', 'lon', 'lng', 'long')];
  if (!inRange(latitude, [-90, 90]) || !inRange(longitude, [-180, 180])) return undefined;
  // A receiver without a fix reports zeros.
  if (latitude === 0 && longitude === 0) return undefined;
  const accuracy = first('accuracy', 'accuracym');
  return { latitude, longitude, accuracy: inRange(accuracy, [0, 100_000]) ? accuracy : undefined };
}

function numbersIn(found: ReadonlyMap<string, number>): HealthFacts['numbers'] {
  const read = (variable: HealthVariable): number | undefined => {
    const { range, names } = numberNames[variable];
    const [value] = Object.entries(names).flatMap(([name, factor]) => {
      const number = (found.get(name) ?? NaN) * factor;
      return inRange(number, range) ? [number] : [];
    });
    return value;
  };
  const diskUsedPercent = read('diskUsedPercent') ?? usedPercent(found);
  return {
    batteryPercent: read('batteryPercent'),
    batteryVoltage: read('batteryVoltage'),
    cpuTemp: read('cpuTemp'),
    gpuTemp: read('gpuTemp'),
    cpuPercent: read('cpuPercent'),
    loadAverage: read('loadAverage'),
    diskUsedPercent,
    diskFreeBytes: read('diskFreeBytes'),
    signalStrength_dBm: read('signalStrength_dBm'),
  };
}

/** Total and used, or total and free, are in the same unit. */
function usedPercent(found: ReadonlyMap<string, number>): number | undefined {
  const total = found.get('disktotal') ?? found.get('disktotalbytes') ?? 0;
  const free = found.get('diskfree') ?? found.get('diskfreebytes');
  const used = found.get('diskused') ?? found.get('diskusedbytes') ?? (free === undefined ? undefined : total - free);
  const share = used === undefined || total <= 0 ? undefined : (100 * used) / total;
  return inRange(share, percent) ? share : undefined;
}

function textIn({ texts }: Leaves, field: keyof HealthTexts): string | undefined {
  const value = textNames[field].map((name) => texts.get(name)).find((text) => text !== undefined);
  // PostgreSQL stores neither NUL nor half of a surrogate pair.
  return value === undefined || value.includes('\0') || !value.isWellFormed()
    ? undefined
    : value.slice(0, shortTextLength);
}
