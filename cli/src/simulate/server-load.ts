import { readdir, readFile, readlink } from 'node:fs/promises';
import type { Wire } from './wire.ts';

/** One measurement of the server. */
export interface LoadSample {
  readonly atMs: number;
  /** Of the node: from its metrics. */
  readonly nodeBytes: number;
  readonly nodeCpuSeconds: number;
  /** Of the node and the processes that it started, its database among them; undefined on another machine. */
  readonly familyBytes: number | undefined;
  readonly familyCpuSeconds: number | undefined;
}

export interface LoadMeter {
  sample(): Promise<LoadSample | undefined>;
}

const localHosts = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Linux counts processor time in hundredths of a second for programs. */
const ticksPerSecond = 100;

/** Reads `/metrics`, and `/proc` if the server runs on this machine. */
export async function createLoadMeter(wire: Wire, url: string): Promise<LoadMeter> {
  const address = new URL(url);
  const pid = localHosts.has(address.hostname) ? await findListener(portOf(address)).catch(() => undefined) : undefined;
  return {
    async sample() {
      const response = await wire.send({ method: 'GET', target: '/metrics' }).catch(() => undefined);
      if (response?.status !== 200) return undefined;
      const read = (name: string) =>
        Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(response.body.toString())?.[1] ?? Number.NaN);
      const family = pid === undefined ? undefined : await readFamily(pid).catch(() => undefined);
      return {
        atMs: Date.now(),
        nodeBytes: read('process_resident_memory_bytes'),
        nodeCpuSeconds: read('process_cpu_seconds'),
        familyBytes: family?.bytes,
        familyCpuSeconds: family?.cpuSeconds,
      };
    },
  };
}

const portOf = ({ port, protocol }: URL): number => (port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));

/** The process that has a port of this machine bound. */
async function findListener(port: number): Promise<number | undefined> {
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'utf8').catch(() => '')),
  );
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const listening = '0A';
  const socket = tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .find((fields) => fields[1]?.endsWith(`:${hexPort}`) && fields[3] === listening)?.[9];
  if (socket === undefined) return undefined;
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const handles = await readdir(`/proc/${name}/fd`).catch(() => []);
    for (const handle of handles) {
      const target = await readlink(`/proc/${name}/fd/${handle}`).catch(() => '');
      if (target === `socket:[${socket}]`) return Number(name);
    }
  }
  return undefined;
}

/** A process and all that descend from it. Time of children that have ended is in that of their parents. */
async function readFamily(pid: number): Promise<{ bytes: number; cpuSeconds: number }> {
  const processes = new Map<number, { parent: number; ticks: number }>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => undefined);
    // The name, in brackets, may contain spaces.
    const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (!fields) continue;
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    processes.set(Number(name), { parent: Number(fields[1]), ticks });
  }
  const isMember = (each: number): boolean => {
    const found = processes.get(each);
    return each === pid || (found !== undefined && isMember(found.parent));
  };
  let bytes = 0;
  let ticks = 0;
  for (const [each, found] of processes) {
    if (!isMember(each)) continue;
    ticks += found.ticks;
    // Shared memory is divided among the processes that use it.
    const memory = await readFile(`/proc/${each}/smaps_rollup`, 'utf8').catch(() => '');
    bytes += Number(/^Pss:\s+(\d+) kB$/m.exec(memory)?.[1] ?? 0) * 1_024;
  }
  return { bytes, cpuSeconds: ticks / ticksPerSecond };
}

export interface LoadSummary {
  readonly seconds: number;
  readonly nodeMegabytes: { readonly first: number; readonly last: number; readonly most: number };
  readonly familyMegabytes: { readonly first: number; readonly last: number; readonly most: number } | undefined;
  /** The slope of a straight line through the samples of the node. */
  readonly nodeMegabytesPerMinute: number;
  readonly nodeCpuSeconds: number;
  readonly familyCpuSeconds: number | undefined;
  /** Of the node and its processes where they can be read, else of the node. */
  readonly cpuSecondsPerDeviceHour: number;
}

/** Sums up the samples from a moment on; undefined if there are fewer than two. */
export function summarizeLoad(samples: readonly LoadSample[], deviceCount: number): LoadSummary | undefined {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.atMs === first.atMs) return undefined;
  const seconds = (last.atMs - first.atMs) / 1_000;
  const nodeCpuSeconds = last.nodeCpuSeconds - first.nodeCpuSeconds;
  const familyCpuSeconds = difference(first.familyCpuSeconds, last.familyCpuSeconds);
  const hours = seconds / 3_600;
  return {
    seconds,
    nodeMegabytes: spanOf(samples.map(({ nodeBytes }) => nodeBytes)),
    familyMegabytes:
      last.familyBytes === undefined ? undefined : spanOf(samples.map(({ familyBytes }) => familyBytes ?? 0)),
    nodeMegabytesPerMinute: slope(samples.map(({ atMs, nodeBytes }) => [atMs / 60_000, nodeBytes / 1e6])),
    nodeCpuSeconds,
    familyCpuSeconds,
    cpuSecondsPerDeviceHour: (familyCpuSeconds ?? nodeCpuSeconds) / deviceCount / hours,
  };
}

const difference = (first: number | undefined, last: number | undefined): number | undefined =>
  first === undefined || last === undefined ? undefined : last - first;

const spanOf = (bytes: readonly number[]) => {
  const [first = 0] = bytes;
  const megabytes = (value: number) => Math.round(value / 1e6);
  return { first: megabytes(first), last: megabytes(bytes.at(-1) ?? 0), most: megabytes(Math.max(...bytes)) };
};

/** The least squares line. */
function slope(points: readonly (readonly [number, number])[]): number {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  const below = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
  return below === 0 ? 0 : Math.round((above / below) * 100) / 100;
}
