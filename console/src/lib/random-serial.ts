/** A serial for a device that has none of its own. */
export const randomSerial = (kind: string): string =>
  `${kind}-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`;
