import { createHash } from 'node:crypto';

/*
 * The Merkle tree of the sealed audit log, as RFC 9162 defines it (section 2.1): SHA-256, with the byte 0 before a leaf
 * and the byte 1 before two nodes. Server and command line share it.
 */

const leafMark = Buffer.of(0);
const nodeMark = Buffer.of(1);

export const hashLeaf = (text: string): Buffer => createHash('sha256').update(leafMark).update(text).digest();

export const hashNodes = (left: Uint8Array, right: Uint8Array): Buffer =>
  createHash('sha256').update(nodeMark).update(left).update(right).digest();

/** The root of a tree from the roots of the whole subtrees in it, the largest first. */
export const rootOfPeaks = (peaks: readonly Uint8Array[]): Buffer =>
  peaks.length === 0
    ? createHash('sha256').digest()
    : Buffer.from(peaks.reduceRight((right, left) => hashNodes(left, right)));

/** A tree that grows at its end. It keeps one hash for each bit of its size. */
export interface GrowingTree {
  readonly size: number;
  readonly peaks: readonly Uint8Array[];
  append(leaf: Uint8Array): void;
  root(): Buffer;
}

export interface GrowingTreeOptions {
  readonly size?: number;
  /** Of a tree of that size. */
  readonly peaks?: readonly Uint8Array[];
  /** Called for each subtree that is whole: 2^level leaves, the position-th of its level. */
  readonly onWhole?: (level: number, position: number, hash: Uint8Array) => void;
}

export function createGrowingTree({ size = 0, peaks = [], onWhole }: GrowingTreeOptions = {}): GrowingTree {
  const kept = [...peaks];
  let count = size;
  return {
    get size() {
      return count;
    },
    get peaks() {
      return kept;
    },
    append(leaf) {
      let [hash, position] = [leaf, count];
      for (let level = 1; position % 2 === 1; level += 1) {
        const left = kept.pop();
        if (left === undefined) throw new Error('the peaks do not belong to a tree of this size');
        hash = hashNodes(left, hash);
        position = (position - 1) / 2;
        onWhole?.(level, position, hash);
      }
      kept.push(hash);
      count += 1;
    },
    root: () => rootOfPeaks(kept),
  };
}

/** Leaves from `start` up to `end`, not included. */
export interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** The ranges whose roots are the inclusion path of a leaf, from the leaf upwards. */
export function listPathRanges(index: number, size: number): LeafRange[] {
  const ranges: LeafRange[] = [];
  let [start, end] = [0, size];
  while (end - start > 1) {
    const middle = start + largestPowerBelow(end - start);
    if (index < middle) {
      ranges.unshift({ start: middle, end });
      end = middle;
    } else {
      ranges.unshift({ start, end: middle });
      start = middle;
    }
  }
  return ranges;
}

function largestPowerBelow(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

/** The whole subtrees that a range of `listPathRanges` consists of, the largest first. */
export function listWholeRanges({ start, end }: LeafRange): LeafRange[] {
  const ranges: LeafRange[] = [];
  for (let at = start; at < end;) {
    let length = 1;
    while (at + length * 2 <= end) length *= 2;
    ranges.push({ start: at, end: at + length });
    at += length;
  }
  return ranges;
}

/** The root that an inclusion path leads to (RFC 9162, 2.1.3.2); undefined if it has not the length of such a tree. */
export function rootOfPath(
  leaf: Uint8Array,
  index: number,
  size: number,
  path: readonly Uint8Array[],
): Buffer | undefined {
  const ranges = listPathRanges(index, size);
  if (index >= size || ranges.length !== path.length) return undefined;
  return Buffer.from(
    path.reduce((hash, other, step) => {
      const isLeft = (ranges[step]?.start ?? 0) < index;
      return isLeft ? hashNodes(other, hash) : hashNodes(hash, other);
    }, leaf),
  );
}

/**
 * The ranges whose roots show that a tree is the beginning of a larger one (RFC 9162, 2.1.4), in the order of the leaves:
 * the whole subtrees of the smaller tree, then what the larger one has beside them.
 */
export function listGrowthRanges(formerSize: number, size: number): LeafRange[] {
  const split = ({ start, end }: LeafRange): LeafRange[] => {
    if (end <= formerSize || start >= formerSize) return [{ start, end }];
    const middle = start + largestPowerBelow(end - start);
    return [...split({ start, end: middle }), ...split({ start: middle, end })];
  };
  return size === 0 ? [] : split({ start: 0, end: size });
}

/** The roots of both trees that the roots of these ranges lead to; undefined if there are too few or too many. */
export function rootsOfGrowth(
  formerSize: number,
  size: number,
  hashes: readonly Uint8Array[],
): { readonly former: Buffer; readonly grown: Buffer } | undefined {
  const ranges = listGrowthRanges(formerSize, size);
  if (formerSize > size || ranges.length !== hashes.length) return undefined;
  const rootOf = new Map(ranges.map(({ start }, at) => [start, hashes[at]!]));
  const fold = ({ start, end }: LeafRange): Uint8Array => {
    if (end <= formerSize || start >= formerSize) return rootOf.get(start) ?? Buffer.alloc(0);
    const middle = start + largestPowerBelow(end - start);
    return hashNodes(fold({ start, end: middle }), fold({ start: middle, end }));
  };
  const former = hashes.filter((_, at) => (ranges[at]?.end ?? 0) <= formerSize);
  return {
    former: rootOfPeaks(former),
    grown: size === 0 ? rootOfPeaks([]) : Buffer.from(fold({ start: 0, end: size })),
  };
}
