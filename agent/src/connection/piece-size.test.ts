import { expect, test } from 'vitest';
import { createPieceSize } from './piece-size.ts';

const mebibyte = 1_048_576;

test('one failure is an accident; from the second in a row pieces become smaller, down to 64 KiB', () => {
  const size = createPieceSize(() => 0);
  const sizes = [1, 2, 3, 4, 5, 6, 7].map(() => {
    size.shrink(size.current());
    return size.current();
  });
  expect(sizes).toEqual([8 * mebibyte, 2 * mebibyte, 524_288, 131_072, 65_536, 65_536, 65_536]);
});

test('a body that was smaller than a piece tells more', () => {
  const size = createPieceSize(() => 0);
  size.shrink(400_000);
  size.shrink(400_000);
  expect(size.current()).toBe(100_000);
});

test('pieces grow again; what failed before is tried only after several others', () => {
  const size = createPieceSize(() => 0);
  size.shrink(8 * mebibyte);
  size.shrink(8 * mebibyte);
  const sizes = Array.from({ length: 14 }, () => {
    size.grow();
    return size.current() / mebibyte;
  });
  expect(sizes).toEqual([4, 4, 4, 4, 4, 4, 4, 4, 8, 8, 8, 8, 8, 8]);
  // A failure between successes is an accident again.
  size.shrink(8 * mebibyte);
  expect(size.current()).toBe(8 * mebibyte);
});

test('a signed piece arrives within a minute at the limit', () => {
  expect(createPieceSize(() => 20_000).current()).toBe(1_200_000);
  expect(createPieceSize(() => 100).current()).toBe(65_536);
});
