import { readFileSync } from 'node:fs';

/** Linux: a hundredth of a second on every machine that Node runs on. */
const tickSeconds = 0.01;

/** The CPU seconds that a process has used so far. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickSeconds;
}

/** The peak memory of a process, in MB. */
export function peakMemoryMB(pid: number): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1_024;
}

const points = 400;
const cosines = Float64Array.from({ length: points }, (_, at) => Math.cos((2 * Math.PI * at) / points));

/** A fixed piece of work for comparison: plain Fourier sums over some seconds of sound; returns its CPU seconds. */
export function referenceSeconds(samples: Float32Array): number {
  const before = process.cpuUsage();
  let sum = 0;
  for (let from = 0; from + points <= samples.length; from += 160) {
    for (let bin = 0; bin <= points / 2; bin++) {
      let real = 0;
      for (let at = 0; at < points; at++) real += samples[from + at]! * cosines[(bin * at) % points]!;
      sum += real * real;
    }
  }
  const { user, system } = process.cpuUsage(before);
  // Prevents the work from being optimised away.
  if (Number.isNaN(sum)) throw new Error('the samples are not numbers');
  return (user + system) / 1e6;
}
