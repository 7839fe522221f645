import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { sameSecret } from '../platform/secrets/tokens.ts';
import type { TargetEncryption } from './format.ts';
import { BackupFault } from './format.ts';

/*
 * An encrypted object is a head and chunks:
 *
 *   "EARSHOT1" + salt (32 bytes), then for each 64 KiB of the content: AES-256-GCM of it and its tag (16 bytes)
 *
 * Each object has its own key, derived from the key of the target, the salt and the path: an object under another path
 * cannot be decrypted. The nonce of a chunk is its number and whether it is the last one, so chunks that are missing,
 * repeated or in another order are found.
 */

const magic = Buffer.from('EARSHOT1');
const saltBytes = 32;
const keyBytes = 32;
const tagBytes = 16;
const nonceBytes = 12;
const chunkBytes = 65_536;
const headBytes = magic.length + saltBytes;
const algorithm = 'aes-256-gcm';

type ScryptOptions = { readonly N: number; readonly r: number; readonly p: number; readonly maxmem: number };
const deriveByScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

const cost = 2 ** 17;
const blockSize = 8;
const parallelization = 1;
/** Limits for the values of a header, which may come from anybody. */
const mostCost = 2 ** 20;
const mostMemoryBytes = 2 * 1024 ** 3;

async function deriveKey(passphrase: string, encryption: Omit<TargetEncryption, 'check'>): Promise<Buffer> {
  const options = { N: encryption.cost, r: encryption.blockSize, p: encryption.parallelization };
  const isSane = options.N <= mostCost && options.r <= 32 && options.p <= 16;
  if (!isSane) throw new BackupFault('the header of the backup has values for scrypt that are out of bounds');
  const salt = Buffer.from(encryption.salt, 'base64');
  return deriveByScrypt(passphrase.normalize('NFC'), salt, keyBytes, { ...options, maxmem: mostMemoryBytes });
}

const checkOf = (key: Buffer): Buffer => createHash('sha256').update('earshot backup key').update(key).digest();

/** The key for a new target, and what its header says of it. */
export async function createTargetKey(passphrase: string): Promise<{ key: Buffer; encryption: TargetEncryption }> {
  const salt = randomBytes(16).toString('base64');
  const settings = { keyDerivation: 'scrypt' as const, salt, cost, blockSize, parallelization };
  const key = await deriveKey(passphrase, settings);
  return { key, encryption: { ...settings, check: checkOf(key).toString('base64') } };
}

export async function openTargetKey(passphrase: string, encryption: TargetEncryption): Promise<Buffer> {
  const key = await deriveKey(passphrase, encryption);
  if (sameSecret(Buffer.from(encryption.check, 'base64'), checkOf(key))) return key;
  throw new BackupFault('the passphrase is wrong');
}

const objectKey = (key: Buffer, salt: Buffer, path: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, salt, `earshot backup object ${path}`, keyBytes));

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(nonceBytes);
  nonce.writeUInt32BE(Math.floor(index / 2 ** 32), 0);
  nonce.writeUInt32BE(index % 2 ** 32, 4);
  nonce[nonceBytes - 1] = isLast ? 1 : 0;
  return nonce;
}

/** The size of an object whose content has this size. */
export const encryptedSize = (size: number): number =>
  headBytes + size + tagBytes * Math.max(1, Math.ceil(size / chunkBytes));

export async function* encrypt(
  key: Buffer,
  path: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const salt = randomBytes(saltBytes);
  const own = objectKey(key, salt, path);
  yield Buffer.concat([magic, salt]);
  let index = 0;
  for await (const { chunk, isLast } of cut(content, chunkBytes)) {
    const cipher = createCipheriv(algorithm, own, nonceOf(index, isLast));
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()]);
    index += 1;
  }
}

export async function* decrypt(
  key: Buffer,
  path: string,
  object: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const damaged = () => new BackupFault(`${path} is damaged: it cannot be decrypted`);
  const bytes = new Bytes(object);
  const head = await bytes.take(headBytes);
  if (head.length !== headBytes || !head.subarray(0, magic.length).equals(magic)) throw damaged();
  const own = objectKey(key, head.subarray(magic.length), path);
  let index = 0;
  for await (const { chunk, isLast } of cut(bytes.rest(), chunkBytes + tagBytes)) {
    if (chunk.length < tagBytes) throw damaged();
    const decipher = createDecipheriv(algorithm, own, nonceOf(index, isLast));
    decipher.setAuthTag(chunk.subarray(-tagBytes));
    let content: Buffer;
    try {
      content = Buffer.concat([decipher.update(chunk.subarray(0, -tagBytes)), decipher.final()]);
    } catch {
      throw damaged();
    }
    yield content;
    index += 1;
  }
}

/** Pieces of exactly this size; the last one may be shorter, and is empty if there is nothing at all. */
async function* cut(
  content: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  let parts: Uint8Array[] = [];
  let held = 0;
  for await (const part of content) {
    parts.push(part);
    held += part.length;
    if (held <= size) continue;
    const all = Buffer.concat(parts, held);
    let from = 0;
    // A whole piece is held back until more arrives, because the last one is marked.
    for (; all.length - from > size; from += size) yield { chunk: all.subarray(from, from + size), isLast: false };
    parts = [all.subarray(from)];
    held = all.length - from;
  }
  yield { chunk: Buffer.concat(parts, held), isLast: true };
}

/** Reads a few bytes of a stream first and the rest afterwards. */
class Bytes {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(size: number): Promise<Buffer> {
    while (this.#held.length < size) {
      const next = await this.#source.next();
      if (next.done === true) break;
      this.#held = Buffer.concat([this.#held, next.value]);
    }
    const taken = this.#held.subarray(0, size);
    this.#held = this.#held.subarray(size);
    return taken;
  }

  async *rest(): AsyncGenerator<Uint8Array> {
    yield this.#held;
    for (let next = await this.#source.next(); next.done !== true; next = await this.#source.next()) yield next.value;
  }
}
