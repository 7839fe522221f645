import { basename } from 'node:path';

/*
 * Names of files are bytes. In this agent a path is text that stands for exactly one sequence of bytes: bytes that are
 * valid UTF-8 are the characters that they mean; every other byte is one lone surrogate, U+DC80 to U+DCFF, which no valid
 * UTF-8 means. JSON keeps such text. Every call to the system gets `diskPath(path)`, every person and the platform gets
 * `showPath(path)`.
 */

const fromUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const loneByte = /[\uDC80-\uDCFF]/;
const hasLoneByte = (path: string): boolean => loneByte.test(path) && !isWellFormed(path);
/** `isWellFormed` is missing in Node 18. */
const isWellFormed = (text: string): boolean => text.toWellFormed() === text;

export function decodeName(bytes: Buffer): string {
  try {
    return fromUtf8.decode(bytes);
  } catch {
    let name = '';
    for (let at = 0; at < bytes.length;) {
      const length = validLength(bytes, at);
      name += length > 0 ? bytes.toString('utf8', at, at + length) : String.fromCharCode(0xdc00 + bytes[at]!);
      at += Math.max(1, length);
    }
    return name;
  }
}

/** The length of the character that begins at this byte; 0 if none does. */
function validLength(bytes: Buffer, at: number): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    try {
      fromUtf8.decode(bytes.subarray(at, at + length));
      return length;
    } catch {
      // Longer ones are tried.
    }
  }
  return 0;
}

/** A path as the system takes it. */
export function diskPath(path: string): string | Buffer {
  if (!hasLoneByte(path)) return path;
  return Buffer.concat(
    Array.from(path, (character) => {
      const code = character.codePointAt(0)!;
      return code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(character);
    }),
  );
}

/** Whether a program can be given this path as an argument: arguments of Node are UTF-8. */
export const isPlainPath = (path: string): boolean => !hasLoneByte(path);

/** A path for people: bytes that are no text, control characters and `\` are escaped, so that two paths never look alike. */
export const showPath = (path: string): string =>
  path.replaceAll(/[\\\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, escapeCharacter);

/** The name of a file for the platform, which removes the folders of a text that begins like a path of Windows. */
export function showName(path: string): string {
  const name = showPath(basename(path));
  return /^(?:[A-Za-z]:)?\\/.test(name) ? `./${name}` : name;
}

function escapeCharacter(character: string): string {
  if (character === '\\') return '\\\\';
  const code = character.codePointAt(0)!;
  if (code >= 0xdc80 && code <= 0xdcff) return `\\x${(code - 0xdc00).toString(16)}`;
  return code < 0x80 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
}
