import type { SealedEntry } from '@earshot/contract/audit-leaf';
import type { AuditLogGrowth, AuditLogKey, AuditProof } from '@earshot/contract/audit-log';
import type { LeafRange } from '@earshot/contract/audit-tree';
import {
  hashNodes,
  listGrowthRanges,
  listPathRanges,
  listWholeRanges,
  rootOfPeaks,
} from '@earshot/contract/audit-tree';
import type { Db } from '../../../platform/database/connect.ts';
import { describeKeys } from './keys.ts';
import type { LeafWithEntry, LevelRange, Subtree } from './queries.ts';
import { findHashes, findLeavesOf, findLog } from './queries.ts';
import { levelsPerStep, sealedEntryOf } from './seal.ts';

/** Entries with their proofs under one signed head, and the keys that verify it. */
export interface ProvenEntries {
  /** A signed note; undefined before the first entry is sealed. */
  readonly head: string | undefined;
  readonly keys: readonly AuditLogKey[];
  /** In the order of the leaves. An entry that is not sealed yet, or was pruned, has none. */
  readonly proofs: readonly AuditProof[];
  /** From the head that was sent away last; undefined if none was. */
  readonly growth: AuditLogGrowth | undefined;
}

/** Two statements for any number of entries, and two for head and keys. */
export async function proveEntries(db: Db, entryKeys: readonly number[]): Promise<ProvenEntries> {
  const { head, size, sentSize } = await findLog(db);
  const keys = await describeKeys(db);
  const leaves = (await findLeavesOf(db, entryKeys, size)).filter(({ salt, key }) => salt !== null && key !== null);
  const paths = leaves.map(({ leafIndex }) => listPathRanges(leafIndex, size));
  const growthRanges = sentSize === null ? [] : listGrowthRanges(sentSize, size);
  const hashOf = await loadHashes(db, [...paths.flat(), ...growthRanges]);
  const hexOf = (range: LeafRange): string => Buffer.from(hashOf(range)).toString('hex');
  const proofs = leaves.map((leaf, index) => ({
    leafIndex: leaf.leafIndex,
    entry: entryOfLeaf(leaf),
    path: (paths[index] ?? []).map(hexOf),
  }));
  const growth = sentSize === null ? undefined : { formerSize: sentSize, hashes: growthRanges.map(hexOf) };
  return { head: head ?? undefined, keys, proofs, growth };
}

export const entryOfLeaf = (leaf: LeafWithEntry): SealedEntry =>
  sealedEntryOf(leaf, leaf.salt ?? '', leaf.isFromBefore);

/** Loads what the roots of the ranges are made of; returns the root of a range. */
async function loadHashes(db: Db, ranges: readonly LeafRange[]): Promise<(range: LeafRange) => Uint8Array> {
  const wholes = ranges.flatMap(listWholeRanges);
  const wanted = new Map(wholes.map((whole) => [`${whole.start} ${whole.end}`, storedRange(whole)]));
  const known = new Map<string, Uint8Array>();
  const place = ({ level, position }: Pick<Subtree, 'level' | 'position'>) => `${level} ${position}`;
  for (const found of await findHashes(db, [...wanted.values()])) known.set(place(found), found.hash);
  const rootOfWhole = (whole: LeafRange): Uint8Array => {
    const { level, start, end } = storedRange(whole);
    const hashes = Array.from({ length: end - start }, (_, at) => known.get(place({ level, position: start + at })));
    return foldWhole(hashes);
  };
  return (range) => rootOfPeaks(listWholeRanges(range).map(rootOfWhole));
}

/** The stored hashes below the root of a whole subtree. */
function storedRange({ start, end }: LeafRange): LevelRange {
  const level = Math.floor(Math.log2(end - start) / levelsPerStep) * levelsPerStep;
  const width = 2 ** level;
  return { level, start: start / width, end: end / width };
}

function foldWhole(hashes: readonly (Uint8Array | undefined)[]): Uint8Array {
  const [first] = hashes;
  if (hashes.length === 1 && first) return first;
  if (hashes.includes(undefined)) throw new Error('the audit log lacks a hash of its tree');
  const half = hashes.length / 2;
  return hashNodes(foldWhole(hashes.slice(0, half)), foldWhole(hashes.slice(half)));
}
