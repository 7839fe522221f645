import { invalidField, Refusal } from '../../../errors.ts';

const deepest = 32;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Parses a JSON body more strictly than JSON.parse: input that is ambiguous (duplicate keys) or cannot be stored (NUL,
 * half a surrogate pair, invalid UTF-8) is refused, never corrected silently.
 */
export function parseJsonText(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  checkStructure(text);
  const value = parse(text);
  // In valid UTF-8 and valid JSON these can only come from escapes, so most bodies skip this check.
  if (/\\u(?:0000|[dD][89a-fA-F])/.test(text)) checkStrings(value, '');
  return value;
}

function decode(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new Refusal('invalid', 'The body is not valid UTF-8.', { cause });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // The full message may quote the input, and does not always contain the position.
    const where = /at position \d+|end of JSON/.exec((cause as Error).message)?.[0];
    const hint = where === undefined ? '' : `; the error is ${where === 'end of JSON' ? 'at the end' : where}`;
    throw new Refusal('invalid', `The body is not valid JSON${hint}.`, { cause });
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** Finds duplicate keys and too deep nesting. Runs before the text is known to be valid JSON. */
function checkStructure(text: string): void {
  const open: (Set<string> | undefined)[] = [];
  let keys: Set<string> | undefined;
  let keyExpected = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfString(text, at);
        if (keyExpected && keys) addKey(keys, text.slice(at, end + 1));
        keyExpected = false;
        at = end;
        break;
      }
      case 0x7b: // {
      case 0x5b: // [
        open.push(keys);
        if (open.length > deepest) {
          throw new Refusal('invalid', `The body is nested more than ${deepest} levels deep.`);
        }
        keys = text.charCodeAt(at) === 0x7b ? new Set() : undefined;
        keyExpected = keys !== undefined;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        keys = open.pop();
        keyExpected = false;
        break;
      case 0x2c: // ,
        keyExpected = keys !== undefined;
        break;
    }
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

function addKey(keys: Set<string>, quoted: string): void {
  // "a" and "\u0061" are the same key.
  const key = quoted.includes('\\') ? String(parse(quoted)) : quoted.slice(1, -1);
  if (keys.has(key)) {
    throw new Refusal('invalid', `The body contains the key ${JSON.stringify(key)} twice in one object.`);
  }
  keys.add(key);
}

function checkStrings(value: unknown, path: string): void {
  if (typeof value === 'string') checkString(value, path);
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    checkString(name, `${path || 'the body'} (a key)`);
    const step = Array.isArray(value) ? `[${name}]` : path ? `.${name}` : name;
    checkStrings(member, path + step);
  }
}

function checkString(text: string, path: string): void {
  const fault = textFault(text);
  if (fault) throw invalidField(path, fault);
}

/** Describes why a text from a body, path or query cannot be stored; undefined if it can. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain the character NUL';
  if (!text.isWellFormed()) return 'must not contain half of a surrogate pair';
  return undefined;
}
