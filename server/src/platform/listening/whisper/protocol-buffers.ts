/*
 * Reads and writes messages of protocol buffers, the format of ONNX files, without their definition: a message is a list
 * of numbered fields. Fields that are not changed are copied byte by byte.
 */

/** The wire types of a number and of a content with its length before it. */
const plainNumber = 0;
const lengthDelimited = 2;

/** Copies a message; `change` replaces or removes its length-delimited fields. */
export function rewrite(message: Buffer, change: (field: number, content: Buffer) => Buffer | undefined): Buffer {
  const parts: Buffer[] = [];
  for (const { field, start, contentStart, end } of readFields(message)) {
    if (contentStart === undefined) {
      parts.push(message.subarray(start, end));
      continue;
    }
    const content = message.subarray(contentStart, end);
    const changed = change(field, content);
    if (changed === content) parts.push(message.subarray(start, end));
    else if (changed) parts.push(asField(field, changed));
  }
  return Buffer.concat(parts);
}

export const asField = (field: number, content: Buffer): Buffer =>
  Buffer.concat([varint(field * 8 + lengthDelimited), varint(content.length), content]);

export const asNumberField = (field: number, value: number): Buffer =>
  Buffer.concat([varint(field * 8 + plainNumber), varint(value)]);

/** The content of the first length-delimited field with this number. */
export function findContent(message: Buffer, wanted: number): Buffer | undefined {
  for (const { field, contentStart, end } of readFields(message)) {
    if (field === wanted && contentStart !== undefined) return message.subarray(contentStart, end);
  }
  return undefined;
}

/** All numbers in the fields with this number, in order. */
export function findNumbers(message: Buffer, wanted: number): number[] {
  const found: number[] = [];
  for (const { field, value, contentStart, end } of readFields(message)) {
    if (field !== wanted) continue;
    if (contentStart === undefined) found.push(value);
    // Writers may pack several numbers into one field.
    else for (let at = contentStart; at < end;) at = push(found, readVarint(message, at));
  }
  return found;
}

function push(found: number[], [value, next]: [number, number]): number {
  found.push(value);
  return next;
}

interface Field {
  readonly field: number;
  readonly start: number;
  /** Only meaningful for numbers. */
  readonly value: number;
  /** Only for length-delimited fields. */
  readonly contentStart: number | undefined;
  readonly end: number;
}

function* readFields(message: Buffer): Generator<Field> {
  for (let at = 0; at < message.length;) {
    const start = at;
    const [key, afterKey] = readVarint(message, at);
    const [value, afterValue] = readVarint(message, afterKey);
    const kind = key % 8;
    const ends: Record<number, number> = {
      [plainNumber]: afterValue,
      1: afterKey + 8,
      [lengthDelimited]: afterValue + value,
      5: afterKey + 4,
    };
    const end = ends[kind];
    if (end === undefined || end > message.length) throw new Error('the model is not an ONNX file');
    const contentStart = kind === lengthDelimited ? afterValue : undefined;
    yield { field: Math.floor(key / 8), start, value, contentStart, end };
    at = end;
  }
}

function readVarint(bytes: Buffer, from: number): [value: number, next: number] {
  let value = 0;
  for (let at = from, scale = 1; ; at++, scale *= 128) {
    const byte = bytes[at] ?? 0;
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at + 1];
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) + 128);
  }
}
