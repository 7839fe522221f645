import type { TObject } from 'typebox';

const booleans = new Map([
  ['true', true],
  ['True', true],
  ['1', true],
  ['false', false],
  ['False', false],
  ['0', false],
]);

/**
 * Paths and queries contain only text. Converts each declared value to its declared type; a value that cannot be
 * converted stays text, so that validation reports it. Undeclared values are dropped.
 */
export function readTextValues(
  schema: TObject,
  values: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = values[name];
    const { type, enum: choices } = property as { type?: string; enum?: readonly unknown[] };
    // An empty text where a choice is expected is missing.
    const isMissing = value === undefined || (value === '' && (type === 'boolean' || choices !== undefined));
    if (!isMissing) read[name] = readTextValue(type, value);
  }
  return read;
}

export function readTextValue(type: string | undefined, value: string): unknown {
  switch (type) {
    case 'integer':
      return /^-?\d{1,17}$/.test(value) ? Number(value) : value;
    case 'number':
      return /^-?\d{1,17}(\.\d{1,17})?$/.test(value) ? Number(value) : value;
    case 'boolean':
      return booleans.get(value) ?? value;
    case undefined:
    default:
      return value;
  }
}
