import { invalidField } from '../../errors.ts';
import { textFault } from './json-text.ts';

export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** The decoded parameters of a query, in the order sent; a fault in any is a 400 that names it. */
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

/** One value a name; given twice, nobody could say which was meant. */
export function singleValues(pairs: QueryPairs, declared: Readonly<Record<string, unknown>>): Record<string, string> {
  const values: Record<string, string> = {};
  for (const [name, value] of pairs) {
    if (!Object.hasOwn(declared, name)) continue;
    if (Object.hasOwn(values, name)) throw invalidField(name, 'is given twice');
    const fault = textFault(value);
    if (fault) throw invalidField(name, fault);
    values[name] = value;
  }
  return values;
}
