/** Finds texts in the first bytes of a sound file. Malformed files have fewer of them. */

export interface WavTexts {
  readonly guano?: string;
  /** The dates of Broadcast WAV: `2022-12-05` and `19:17:30`, with any separators. */
  readonly bext?: { readonly date: string; readonly time: string };
  /** Of the list INFO, by name. */
  readonly info: ReadonlyMap<string, string>;
  /** An ID3 tag in its chunk. */
  readonly id3?: Uint8Array;
}

const latin = (bytes: Uint8Array, from: number, to: number): string =>
  Array.from(bytes.subarray(from, to), (byte) => String.fromCodePoint(byte)).join('');

const decode = (encoding: string, bytes: Uint8Array): string => new TextDecoder(encoding).decode(bytes);

/** Text ends at the first NUL. */
const untilNul = (text: string): string => text.split('\0', 1)[0] ?? '';

function* chunksOf(bytes: Uint8Array, start: number): Generator<{ id: string; content: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = start; at + 8 <= bytes.length;) {
    const size = view.getUint32(at + 4, true);
    yield { id: latin(bytes, at, at + 4), content: bytes.subarray(at + 8, at + 8 + size) };
    at += 8 + size + (size % 2);
  }
}

export const isWav = (bytes: Uint8Array): boolean =>
  ['RIFF', 'RF64'].includes(latin(bytes, 0, 4)) && latin(bytes, 8, 12) === 'WAVE';

const bextDateAt = 320;
const bextTimeAt = 330;
const bextTimeEnd = 338;

/** The chunks after the sound are not in the first bytes of a longer file. */
export function readWavTexts(bytes: Uint8Array): WavTexts {
  const info = new Map<string, string>();
  const texts: { -readonly [Name in keyof WavTexts]: WavTexts[Name] } = { info };
  for (const { id, content } of chunksOf(bytes, 12)) {
    if (id === 'guan') texts.guano ??= decode('utf-8', content);
    else if (id === 'bext' && content.length >= bextTimeEnd) {
      texts.bext ??= {
        date: latin(content, bextDateAt, bextTimeAt),
        time: latin(content, bextTimeAt, bextTimeEnd),
      };
    } else if (id === 'LIST' && latin(content, 0, 4) === 'INFO') {
      for (const entry of chunksOf(content, 4)) {
        if (!info.has(entry.id)) info.set(entry.id, untilNul(decode('utf-8', entry.content)).trim());
      }
    } else if (id.toLowerCase() === 'id3 ') texts.id3 ??= content;
  }
  return texts;
}

/** Seven bits of each byte, so that no size looks like the start of a frame of sound. */
const synchsafe = (bytes: Uint8Array, at: number): number =>
  [0, 1, 2, 3].reduce((size, index) => size * 128 + ((bytes[at + index] ?? 0) & 0x7f), 0);

const bigEndian = (bytes: Uint8Array, at: number, length: number): number =>
  Array.from({ length }, (_none, index) => bytes[at + index] ?? 0).reduce((size, byte) => size * 256 + byte, 0);

const mostFrames = 200;

/** The text frames of an ID3v2 tag, by name; empty if there is none. */
export function readId3Texts(bytes: Uint8Array): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const version = bytes[3] ?? 0;
  if (latin(bytes, 0, 3) !== 'ID3' || version < 2 || version > 4) return texts;
  const end = Math.min(bytes.length, 10 + synchsafe(bytes, 6));
  const isShort = version === 2;
  const headLength = isShort ? 6 : 10;
  const hasMore = !isShort && ((bytes[5] ?? 0) & 0x40) !== 0;
  let at = 10;
  if (hasMore) at += version === 4 ? synchsafe(bytes, 10) : 4 + bigEndian(bytes, 10, 4);
  for (let count = 0; count < mostFrames && at + headLength < end; count += 1) {
    const name = latin(bytes, at, at + (isShort ? 3 : 4));
    if (!/^[A-Z][A-Z0-9]+$/.test(name)) break;
    const size = isShort
      ? bigEndian(bytes, at + 3, 3)
      : version === 4
        ? synchsafe(bytes, at + 4)
        : bigEndian(bytes, at + 4, 4);
    const content = bytes.subarray(at + headLength, Math.min(end, at + headLength + size));
    if (name.startsWith('T') && !texts.has(name)) texts.set(name, readId3Text(content));
    at += headLength + size;
  }
  return texts;
}

/** The first byte names the encoding. */
function readId3Text(content: Uint8Array): string {
  const text = content.subarray(1);
  const isLittle = text[0] === 0xff && text[1] === 0xfe;
  const encoding = content[0] ?? 0;
  if (encoding === 1) return untilNul(decode(isLittle ? 'utf-16le' : 'utf-16be', text)).trim();
  if (encoding === 2) return untilNul(decode('utf-16be', text)).trim();
  return untilNul(encoding === 3 ? decode('utf-8', text) : latin(text, 0, text.length)).trim();
}
