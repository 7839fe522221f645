import { totalmem } from 'node:os';
import type { Log } from '../log.ts';
import type { CaptionEngine } from './engine.ts';

/*
 * The setting EARSHOT_THIRD_LISTEN: which speech that the fast model is unsure about is transcribed once more by the
 * accurate one.
 *
 *   auto   that of radios, if the machine has the memory
 *   on     all speech
 *   off    none
 */

export const thirdListenValues = ['auto', 'on', 'off'] as const;
export type ThirdListen = (typeof thirdListenValues)[number];

/** What the server, its database and one process of the fast engine need. */
const usualMB = 1_800;
/** What the process of a clip needs at most with both models loaded. */
const processMB = 1_740;

export interface ThirdListenSettings {
  readonly kind: string;
  readonly thirdListen?: ThirdListen | undefined;
  /** How many clips are transcribed at once. */
  readonly atOnce: number;
}

/** The memory that `auto` needs, and which the machine or the container must have. */
export const neededMB = (atOnce: number): number => usualMB + processMB * atOnce;

/** Which speech gets a third listen. Writes a line to the log if `auto` has too little memory. */
export function decideThirdListen(
  { kind, thirdListen = 'off', atOnce }: ThirdListenSettings,
  log: Log,
  memoryMB = readMemoryMB(),
): CaptionEngine['thirdListen'] {
  if (thirdListen === 'off' || kind !== 'moonshine') return undefined;
  if (thirdListen === 'on') return 'all';
  const needed = neededMB(atOnce);
  if (memoryMB >= needed) return 'radio';
  log.info({ neededMB: needed, memoryMB: Math.round(memoryMB) }, 'radio gets no third listen: too little memory');
  return undefined;
}

/** The memory of the machine, or of the container if that is less. */
function readMemoryMB(): number {
  // 0, or more than the machine has, without a limit.
  const limit = process.constrainedMemory();
  return Math.min(totalmem(), limit > 0 ? limit : Infinity) / 1024 ** 2;
}
