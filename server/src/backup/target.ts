import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { createTargetKey, decrypt, encrypt, encryptedSize, openTargetKey } from './cipher.ts';
import type { BackupManifest, TargetHeader } from './format.ts';
import { backupPath, BackupFault, formatName, formatVersion, headerPath, manifestName } from './format.ts';
import type { BackupPlace } from './place.ts';

/** The objects of a target, encrypted if it has a passphrase. */
export interface BackupTarget {
  readonly name: string;
  readonly isEncrypted: boolean;
  /** Whether a whole object whose content has this size is there. */
  has(path: string, size: number): Promise<boolean>;
  put(path: string, content: AsyncIterable<Uint8Array>, size?: number): Promise<void>;
  read(path: string): AsyncIterable<Uint8Array>;
  list(prefix: string): AsyncIterable<string>;
  remove(path: string): Promise<void>;
  /** Removes what killed backups left of objects that they did not complete. */
  removeUnfinished(): Promise<void>;
}

/** Opens a target for a new backup; creates it in an empty place. */
export async function openForBackup(place: BackupPlace, passphrase: string | undefined): Promise<BackupTarget> {
  const header = await readHeader(place);
  if (header) return openTarget(place, header, passphrase);
  for await (const path of place.list('')) {
    throw new BackupFault(`${place.name} is not a place of backups and is not empty (${path}); choose an empty one`);
  }
  const made = passphrase === undefined ? undefined : await createTargetKey(passphrase);
  const written: TargetHeader = { format: formatName, version: formatVersion, encryption: made?.encryption ?? null };
  await place.put(headerPath, undefined, each(`${JSON.stringify(written, null, 2)}\n`));
  return createTarget(place, made?.key);
}

export async function openForRestore(place: BackupPlace, passphrase: string | undefined): Promise<BackupTarget> {
  const header = await readHeader(place);
  if (!header) throw new BackupFault(`there are no backups in ${place.name}: ${headerPath} is missing`);
  return openTarget(place, header, passphrase);
}

async function openTarget(
  place: BackupPlace,
  { encryption }: TargetHeader,
  passphrase: string | undefined,
): Promise<BackupTarget> {
  if (encryption === null) {
    if (passphrase === undefined) return createTarget(place, undefined);
    throw new BackupFault(
      `the backups in ${place.name} are not encrypted; leave out the passphrase, or use an empty place`,
    );
  }
  if (passphrase === undefined)
    throw new BackupFault(`the backups in ${place.name} are encrypted: give the passphrase`);
  return createTarget(place, await openTargetKey(passphrase, encryption));
}

async function readHeader(place: BackupPlace): Promise<TargetHeader | undefined> {
  if ((await place.sizeOf(headerPath)) === undefined) return undefined;
  const header = parse(await buffer(await place.read(headerPath)), headerPath) as TargetHeader;
  if (header.format !== formatName) throw new BackupFault(`${headerPath} in ${place.name} is of another program`);
  if (header.version !== formatVersion) {
    throw new BackupFault(
      `the backups in ${place.name} have the format ${header.version}; this version of Earshot reads ${formatVersion}`,
    );
  }
  return header;
}

function createTarget(place: BackupPlace, key: Buffer | undefined): BackupTarget {
  return {
    name: place.name,
    isEncrypted: key !== undefined,
    has: async (path, size) => (await place.sizeOf(path)) === (key ? encryptedSize(size) : size),
    put: (path, content, size) =>
      key
        ? place.put(path, size === undefined ? undefined : encryptedSize(size), encrypt(key, path, content))
        : place.put(path, size, content),
    async *read(path) {
      const object = await place.read(path);
      try {
        yield* key ? decrypt(key, path, object) : (object as AsyncIterable<Uint8Array>);
      } finally {
        object.destroy();
      }
    },
    list: (prefix) => place.list(prefix),
    remove: (path) => place.remove(path),
    removeUnfinished: () => place.removeUnfinished(),
  };
}

export async function* each(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

function parse(bytes: Uint8Array, path: string): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw new BackupFault(`${path} is damaged: it is not JSON`);
  }
}

/** The ids of the complete backups, oldest first. */
export async function listBackups(target: BackupTarget): Promise<string[]> {
  const ids: string[] = [];
  for await (const path of target.list('backups/')) {
    const [, id, name] = /^backups\/([^/]+)\/(.+)$/.exec(path) ?? [];
    if (id !== undefined && name === manifestName) ids.push(id);
  }
  return ids.toSorted();
}

export async function readManifest(target: BackupTarget, id: string): Promise<BackupManifest> {
  const path = backupPath(id, manifestName);
  return parse(await readAll(target, path), path) as BackupManifest;
}

export async function readAll(target: BackupTarget, path: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of target.read(path)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Passes bytes on and reports their hash at the end. */
export async function* hashed(
  source: AsyncIterable<Uint8Array>,
  onEnd: (sha256: string, size: number) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of source) {
    hash.update(chunk);
    size += chunk.length;
    yield chunk;
  }
  onEnd(hash.digest('hex'), size);
}
