import { Refusal } from '../../errors.ts';
import type { GatewayCall } from '../http/serve-gateway.ts';
import { readFormParts } from '../http/read/form-parts.ts';
import { hashing } from '../storage/hashing.ts';
import type { Scratch } from '../storage/scratch.ts';
import type { UnknownBytes } from './unknown-bytes.ts';

/** Radio calls last seconds or minutes. */
const largestSoundBytes = 512 * 1_048_576;
const longestText = 262_144;
const mostParts = 200;

/** How a protocol names the parts of its form. */
export interface FormNames {
  readonly key: string;
  readonly sound: string;
  /** Parts that are read as text although they may be sent as files. */
  readonly texts?: readonly string[];
  readonly mayBeUrlEncoded?: boolean;
}

export interface ReceivedSound {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly filename: string;
}

export interface ReceivedForm<Key> {
  readonly key: Key;
  /** The first text of each name. */
  readonly fields: ReadonlyMap<string, string>;
  /** All texts of each name. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** Undefined if the form has none. */
  readonly sound: ReceivedSound | undefined;
}

export interface ReceiveParts<Key> {
  readonly scratch: Scratch;
  readonly unknownBytes: UnknownBytes;
  /** Throws if the key is wrong or missing. */
  acceptKey(secret: string | undefined, address: string): Promise<Key>;
}

/**
 * Reads the form of a recorder and passes it to `work`. The sound is in a temporary file, which is removed afterwards; a killed
 * process leaves it in the scratch folder, which the next start empties. A wrong key ends the request at once.
 */
export async function receiveForm<Key, Result>(
  parts: ReceiveParts<Key>,
  call: GatewayCall,
  names: FormNames,
  work: (form: ReceivedForm<Key>) => Promise<Result>,
  givenSecret?: string,
): Promise<Result> {
  const unknown = parts.unknownBytes.enter(call.address);
  try {
    return await parts.scratch.withPath(async (path) => {
      let key = givenSecret === undefined ? undefined : await parts.acceptKey(givenSecret, call.address);
      if (key) unknown.leave();
      const count = (bytes: number) => unknown.add(bytes);
      let sound: ReceivedSound | undefined;
      const fields = new Map<string, string>();
      const texts = new Map<string, string[]>();
      const { mayBeUrlEncoded = false } = names;
      const limits = { files: [names.sound], mostParts, longestText, mayBeUrlEncoded };
      for await (const part of readFormParts(call.contentType, call.body.bytes, limits)) {
        if ('text' in part) {
          unknown.add(part.text.length);
          if (!fields.has(part.name)) fields.set(part.name, part.text);
          texts.set(part.name, [...(texts.get(part.name) ?? []), part.text]);
        } else if (part.name === names.sound && !sound) {
          sound = await keep(parts.scratch, path, part, count, call.body.signal);
        } else {
          const text = await readText(part.bytes, count);
          if (names.texts?.includes(part.name)) fields.set(part.name, text);
        }
        if (!key && fields.has(names.key)) {
          key = await parts.acceptKey(fields.get(names.key), call.address);
          unknown.leave();
        }
      }
      key ??= await parts.acceptKey(undefined, call.address);
      return work({ key, fields, texts, sound });
    });
  } finally {
    unknown.leave();
  }
}

async function keep(
  scratch: Scratch,
  path: string,
  { filename, bytes }: { readonly filename: string; readonly bytes: AsyncIterable<Uint8Array> },
  count: (bytes: number) => void,
  signal: AbortSignal,
): Promise<ReceivedSound> {
  const source = hashing(limited(bytes, largestSoundBytes, count));
  await scratch.write(path, source, signal);
  return { path, size: source.size, sha256: source.digest(), filename };
}

/** Parts other than the sound are small; the rest of a longer one is refused. */
async function readText(bytes: AsyncIterable<Uint8Array>, count: (bytes: number) => void): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of limited(bytes, longestText, count)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function* limited(
  bytes: AsyncIterable<Uint8Array>,
  most: number,
  count: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    count(chunk.length);
    if (size > most) throw new Refusal('tooLarge', `A part of the form has more than ${most} bytes.`);
    yield chunk;
  }
}
