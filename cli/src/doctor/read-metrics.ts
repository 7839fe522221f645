/** The values of a page of Prometheus metrics, by name and labels as they are written. */
export function readMetricValues(text: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, value] = /^([a-zA-Z_:][\w:]*(?:\{[^}]*\})?) (\S+)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) values.set(name, Number(value));
  }
  return values;
}
