const units = ['KB', 'MB', 'GB', 'TB'];

/** A number of bytes as text: `500 bytes`, `1.5 KB`, `120 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  let [value, unit] = [bytes / 1_000, 0];
  // What would be rounded to 1000 is one of the next unit.
  while (value >= 999.5 && unit < units.length - 1) [value, unit] = [value / 1_000, unit + 1];
  return `${value < 99.95 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
