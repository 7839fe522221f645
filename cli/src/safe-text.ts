/**
 * Texts of devices, captions and files are written by others. On a terminal, control characters could move the cursor,
 * change colours or write a clipboard, and characters that change the direction of text could hide what is there.
 */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\p{Cs}]/gu;

const names: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

const escapeOne = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return names[character] ?? (code < 256 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`);
};

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** One line that is safe to print. */
export const safeText = (text: string): string => text.replaceAll(unsafe, escapeOne);

/** One line of JSON that is safe to print: the same value, with such characters as \u escapes. */
export const safeJson = (value: unknown): string =>
  JSON.stringify(value).replaceAll(unsafe, (character) => `\\u${hex(character.codePointAt(0) ?? 0, 4)}`);
