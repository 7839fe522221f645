/** Hues that people can tell apart. */
const hues = 18;

/** A stable hue in degrees for a name, such as of a tag: the same on every page and for everybody. */
export function hueOf(name: string): number {
  let hash = 0x811c9dc5;
  for (const letter of name.normalize('NFC').toLowerCase()) {
    hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  }
  // Similar names differ in the low bits only little.
  hash ^= hash >>> 15;
  return ((hash >>> 0) % hues) * (360 / hues);
}
