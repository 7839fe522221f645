import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  createGrowingTree,
  hashLeaf,
  hashNodes,
  listGrowthRanges,
  listPathRanges,
  rootOfPath,
  rootsOfGrowth,
} from './audit-tree.ts';

const leaves = Array.from({ length: 70 }, (_, index) => hashLeaf(`entry ${index}`));

/** The definition of RFC 9162, 2.1.1, word for word. */
function rootByDefinition(list: readonly Buffer[]): Buffer {
  const [first] = list;
  if (!first) return createHash('sha256').digest();
  if (list.length === 1) return first;
  let half = 1;
  while (half * 2 < list.length) half *= 2;
  return hashNodes(rootByDefinition(list.slice(0, half)), rootByDefinition(list.slice(half)));
}

test('a growing tree has the root of the definition at every size, and after it was stored', () => {
  const tree = createGrowingTree();
  expect(tree.root()).toEqual(rootByDefinition([]));
  for (const [index, leaf] of leaves.entries()) {
    tree.append(leaf);
    expect(tree.root()).toEqual(rootByDefinition(leaves.slice(0, index + 1)));
    const stored = createGrowingTree({ size: tree.size, peaks: tree.peaks });
    stored.append(leaf);
    expect(stored.root()).toEqual(rootByDefinition([...leaves.slice(0, index + 1), leaf]));
  }
});

test('whole subtrees are reported once, with the hash of their leaves', () => {
  const found = new Map<string, Uint8Array>();
  const tree = createGrowingTree({ onWhole: (level, position, hash) => found.set(`${level} ${position}`, hash) });
  for (const leaf of leaves) tree.append(leaf);
  expect(found.size).toBe(35 + 17 + 8 + 4 + 2 + 1);
  expect(found.get('3 5')).toEqual(rootByDefinition(leaves.slice(40, 48)));
});

test('the inclusion path of every leaf leads to the root, and no other leaf or place does', () => {
  for (const size of [1, 2, 3, 7, 8, 9, 64, 65, 70]) {
    const root = rootByDefinition(leaves.slice(0, size));
    for (const [index, leaf] of leaves.slice(0, size).entries()) {
      const path = listPathRanges(index, size).map(({ start, end }) => rootByDefinition(leaves.slice(start, end)));
      expect(rootOfPath(leaf, index, size, path)).toEqual(root);
      expect(rootOfPath(hashLeaf('another'), index, size, path)).not.toEqual(root);
      if (size > 1) expect(rootOfPath(leaf, (index + 1) % size, size, path)).not.toEqual(root);
      expect(rootOfPath(leaf, index, size, [...path, leaf])).toBeUndefined();
    }
  }
});

test('every tree is shown to be the beginning of every larger one, and no other tree is', () => {
  const rootOf = (start: number, end: number) => rootByDefinition(leaves.slice(start, end));
  for (let size = 0; size <= 40; size += 1) {
    for (let formerSize = 0; formerSize <= size; formerSize += 1) {
      const hashes = listGrowthRanges(formerSize, size).map(({ start, end }) => rootOf(start, end));
      expect(rootsOfGrowth(formerSize, size, hashes)).toEqual({
        former: rootOf(0, formerSize),
        grown: rootOf(0, size),
      });
      expect(rootsOfGrowth(formerSize, size, [...hashes, leaves[0]!])).toBeUndefined();
    }
  }
  const hashes = listGrowthRanges(5, 9).map(({ start, end }) => rootOf(start, end));
  const changed = rootsOfGrowth(5, 9, [leaves[69]!, ...hashes.slice(1)]);
  expect(changed?.former).not.toEqual(rootOf(0, 5));
  expect(changed?.grown).not.toEqual(rootOf(0, 9));
});
