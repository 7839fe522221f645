import type { JsonSchema } from '@earshot/contract/openapi-document';
import { tightPattern } from '@earshot/contract/values';
import * as fc from 'fast-check';

/** Values for fields that must name an existing record, such as a serial. */
export type Hints = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Values that a schema accepts. */
export function validValues(schema: JsonSchema, hints: Hints = {}): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => validValues(one, hints)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const [type, ...others] = [schema.type].flat();
  if (others.includes('null')) {
    const some = validValues({ ...schema, type: type ?? 'string' }, hints);
    return fc.oneof({ weight: 4, arbitrary: some }, { weight: 1, arbitrary: fc.constant(null) });
  }
  switch (type) {
    case 'integer':
    case 'number':
      return integers(schema);
    case 'boolean':
      return fc.boolean();
    case 'string':
      return texts(schema);
    case 'array':
      return fc.array(validValues(schema.items ?? {}, hints), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, 4),
      });
    case 'object':
      return records(schema, hints);
    case undefined:
    default:
      return fc.jsonValue({ maxDepth: 2, stringUnit: 'grapheme' });
  }
}

function integers({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema) {
  const small = { min: Math.max(minimum, -20), max: Math.min(maximum, Math.max(50, minimum + 50)) };
  return fc.oneof(
    fc.integer(small),
    fc.constantFrom(minimum, maximum),
    fc.maxSafeNat().map((n) => Math.max(minimum, Math.min(n, maximum))),
  );
}

function texts({ minLength = 0, maxLength = 100, pattern, format, examples }: JsonSchema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    const [min, max] = [new Date('0002-01-01T00:00:00Z'), new Date('9998-01-01T00:00:00Z')];
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (format === 'time-zone') return fc.constantFrom('UTC', 'Europe/Zurich', 'Asia/Kolkata');
  if (pattern && pattern !== tightPattern) return patterned(pattern, (examples ?? []) as string[]);
  const fits = new RegExp(pattern ?? '', 'u');
  const free = fc
    .string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 12) })
    .filter((text) => !text.includes('\0') && fits.test(text));
  const longest = fc.constantFrom('x', 'é', '🎙').map((letter) => letter.repeat(maxLength));
  return fc.oneof({ weight: 8, arbitrary: free }, { weight: 1, arbitrary: longest });
}

/** Values cannot be generated for patterns with lookahead; letters and digits match the existing ones. */
function patterned(pattern: string, examples: readonly string[]): fc.Arbitrary<string> {
  const others = pattern.includes('(?!')
    ? fc.stringMatching(/^[A-Za-z0-9._-]{7,20}$/)
    : pattern.includes('@')
      ? fc.emailAddress()
      : fc.stringMatching(new RegExp(pattern));
  return examples.length > 0
    ? fc.oneof({ weight: 9, arbitrary: others }, { weight: 1, arbitrary: fc.constantFrom(...examples) })
    : others;
}

function records({ properties = {}, required = [] }: JsonSchema, hints: Hints): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const valid = validValues(schema, hints);
    const hint = hints[name];
    const value = hint ? fc.oneof({ weight: 6, arbitrary: hint }, { weight: 1, arbitrary: valid }) : valid;
    return [name, value] as const;
  });
  return fc.record(Object.fromEntries(fields), { requiredKeys: [...required], noNullPrototype: true });
}
