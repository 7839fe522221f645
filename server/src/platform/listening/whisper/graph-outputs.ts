/*
 * Changes the outputs of a model. Whisper's encoder also outputs its attention, 430 MB for each stretch of sound, which
 * the runtime computes even if it is not fetched. And an inner layer of Moonshine's encoder contains more about sounds
 * than the last one, which is specialised in words.
 *
 * An ONNX file is a protocol buffers message: field 7 is the graph, whose fields 12 are the outputs, whose field 1 is
 * the name. Only those are changed; everything else is copied.
 */

const graphField = 7;
const outputField = 12;
const nameField = 1;
/** The wire type with a length before the content. */
const lengthDelimited = 2;

export function keepOutputs(model: Buffer, isKept: (name: string) => boolean): Buffer {
  return rewrite(model, (field, content) => {
    if (field !== graphField) return content;
    return rewrite(content, (inGraph, value) => {
      if (inGraph !== outputField) return value;
      return isKept(readName(value)) ? value : undefined;
    });
  });
}

/** Replaces the outputs of a model by inner values. Outputs that are not needed are removed. */
export function replaceOutputs(model: Buffer, names: readonly string[]): Buffer {
  const outputs = names.map((name) => asField(outputField, asField(nameField, Buffer.from(name))));
  return rewrite(model, (field, content) => {
    if (field !== graphField) return content;
    const bare = rewrite(content, (inGraph, value) => (inGraph === outputField ? undefined : value));
    return Buffer.concat([bare, ...outputs]);
  });
}

/** Copies a message; `change` replaces or removes its length-delimited fields. */
function rewrite(message: Buffer, change: (field: number, content: Buffer) => Buffer | undefined): Buffer {
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

const asField = (field: number, content: Buffer): Buffer =>
  Buffer.concat([varint(field * 8 + lengthDelimited), varint(content.length), content]);

function readName(message: Buffer): string {
  for (const { field, contentStart, end } of readFields(message)) {
    if (field === nameField && contentStart !== undefined) return message.toString('utf8', contentStart, end);
  }
  return '';
}

interface Field {
  readonly field: number;
  readonly start: number;
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
      0: afterValue,
      1: afterKey + 8,
      [lengthDelimited]: afterValue + value,
      5: afterKey + 4,
    };
    const end = ends[kind];
    if (end === undefined || end > message.length) throw new Error('the model is not an ONNX file');
    const contentStart = kind === lengthDelimited ? afterValue : undefined;
    yield { field: Math.floor(key / 8), start, contentStart, end };
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
