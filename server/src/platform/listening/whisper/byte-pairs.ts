/*
 * Splits a text into tokens as Whisper does: the text into words and runs of signs, these into bytes, and then the pair of
 * neighbours whose token has the lowest id is joined, again and again. The ids are in the order in which the pairs were
 * joined when the vocabulary was made, so no list of pairs is needed.
 */

const runs = /'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+/gu;

/** `signOf` is the character that represents each byte in the vocabulary. */
export function encodePairs(
  text: string,
  ids: Readonly<Record<string, number>>,
  signOf: readonly string[],
): readonly number[] {
  return (text.match(runs) ?? []).flatMap((run) => {
    const pieces = Array.from(Buffer.from(run), (byte) => signOf[byte]!);
    for (;;) {
      let best = { at: -1, id: Infinity };
      for (let at = 0; at + 1 < pieces.length; at++) {
        const id = ids[pieces[at]! + pieces[at + 1]!];
        if (id !== undefined && id < best.id) best = { at, id };
      }
      if (best.at < 0) return pieces.map((piece) => ids[piece]!);
      pieces.splice(best.at, 2, pieces[best.at]! + pieces[best.at + 1]!);
    }
  });
}
