import { invalidField } from '../../../errors.ts';
import { textFault } from './json-text.ts';

export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** The decoded query parameters in the order sent; an invalid one is answered with a 400 that names it. */
export function parseQueryText(url: string): QueryPairs {
  const start = url.indexOf('?');
  if (start < 0 || start === url.length - 1) return [];
  return url
    .slice(start + 1)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = decode(equals < 0 ? pair : pair.slice(0, equals), 'a parameter name');
      return [name, decode(equals < 0 ? '' : pair.slice(equals + 1), name)] as const;
    });
}

function decode(text: string, name: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalidField(name, 'is not valid percent-encoded UTF-8');
  }
}

/** A parameter that is given twice is refused, because it is not clear which value was meant. */
export function singleValues(pairs: QueryPairs, declared: Readonly<Record<string, unknown>>): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of pairs) {
    if (!Object.hasOwn(declared, name)) continue;
    if (Object.hasOwn(values, name)) throw invalidField(name, 'must not be given twice');
    const fault = textFault(value);
    if (fault) throw invalidField(name, fault);
    values[name] = value;
  }
  return values;
}
