/** The parts of a box in order; not concatenated, because a table may have megabytes. */
export type BoxParts = readonly Buffer[];

/** A sequence of 32-bit numbers. */
export function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}

export function box(type: string, ...contents: (Buffer | BoxParts)[]): BoxParts {
  const parts = contents.flat();
  const length = parts.reduce((sum, part) => sum + part.length, 8);
  return [numbers(length), Buffer.from(type, 'latin1'), ...parts];
}

/** A box with a version, here always 0, and flags. */
export const fullBox = (type: string, flags: number, ...contents: (Buffer | BoxParts)[]): BoxParts =>
  box(type, numbers(flags), ...contents);

/** The box that describes how to decode AAC (ISO/IEC 14496-1, 7.2.6). */
export function makeEsds(config: Buffer): BoxParts {
  const part = (tag: number, ...bytes: Buffer[]): Buffer => {
    const body = Buffer.concat(bytes);
    return Buffer.concat([Buffer.from([tag, body.length]), body]);
  };
  const aacInAudioStream = Buffer.from([0x40, 0x15, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  const decoder = part(4, aacInAudioStream, part(5, config));
  return fullBox('esds', 0, part(3, Buffer.from([0, 1, 0]), decoder, part(6, Buffer.from([2]))));
}
