import type { KeyObject } from 'node:crypto';
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';

/*
 * Signed notes as C2SP defines them (https://c2sp.org/signed-note), with Ed25519 keys: a text, an empty line, and a line
 * for each signature. Programs for transparency logs read them.
 */

export interface NoteKey {
  readonly publicKey: Buffer;
  /** Of the public key, for people to keep: SHA-256 in hexadecimal digits. */
  readonly fingerprint: string;
}

export interface NoteSigner extends NoteKey {
  /** The 32 bytes from which Ed25519 derives the key. */
  readonly seed: Buffer;
}

const publicKeyBytes = 32;
// What precedes the 32 bytes of an Ed25519 key in DER (RFC 8410).
const publicLead = Buffer.from('302a300506032b6570032100', 'hex');
const privateLead = Buffer.from('302e020100300506032b657004220420', 'hex');
const ed25519 = Buffer.of(1);
const idBytes = 4;
const signatureLead = '— ';

export const fingerprintOf = (publicKey: Uint8Array): string => createHash('sha256').update(publicKey).digest('hex');

export const noteKeyOf = (publicKey: Buffer): NoteKey => ({ publicKey, fingerprint: fingerprintOf(publicKey) });

export function createNoteSigner(): NoteSigner {
  const { privateKey } = generateKeyPairSync('ed25519');
  return noteSignerOf(privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(privateLead.length));
}

export function noteSignerOf(seed: Buffer): NoteSigner {
  const publicKey = createPublicKey(privateKeyOf(seed)).export({ format: 'der', type: 'spki' });
  return { seed, ...noteKeyOf(publicKey.subarray(publicLead.length)) };
}

const privateKeyOf = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([privateLead, seed]), format: 'der', type: 'pkcs8' });

/** Which key a signature is of, together with its name. */
const idOf = (name: string, publicKey: Uint8Array): Buffer =>
  createHash('sha256').update(`${name}\n`).update(ed25519).update(publicKey).digest().subarray(0, idBytes);

/** `text` ends with a line feed and has no empty line at its end. */
export function signNote(text: string, name: string, signers: readonly NoteSigner[]): string {
  const lines = signers.map(({ seed, publicKey }) => {
    const signature = sign(null, Buffer.from(text), privateKeyOf(seed));
    return `${signatureLead}${name} ${Buffer.concat([idOf(name, publicKey), signature]).toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

/** Undefined unless the text is the one that encoding its bytes gives: Node would read many other texts as the same bytes. */
export function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

export interface OpenedNote {
  readonly text: string;
  readonly signatures: readonly { readonly name: string; readonly bytes: Buffer }[];
}

/** Undefined if it is not a signed note. No signature is checked. */
export function openNote(note: string): OpenedNote | undefined {
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return undefined;
  const lines = note.slice(end + 2, -1).split('\n');
  const signatures = lines.map((line) => {
    const [, name = '', text = ''] = /^— (\S+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? [];
    const bytes = decodeBase64(text);
    return bytes ? { name, bytes } : { name: '', bytes: Buffer.of() };
  });
  return signatures.every(({ name }) => name !== '') ? { text: note.slice(0, end + 1), signatures } : undefined;
}

/** Whether the key has signed the note under this name. */
export function isSignedBy({ text, signatures }: OpenedNote, name: string, { publicKey }: NoteKey): boolean {
  if (publicKey.length !== publicKeyBytes) return false;
  const id = idOf(name, publicKey);
  const key = createPublicKey({ key: Buffer.concat([publicLead, publicKey]), format: 'der', type: 'spki' });
  return signatures.some(
    (signature) =>
      signature.name === name &&
      id.equals(signature.bytes.subarray(0, idBytes)) &&
      verify(null, Buffer.from(text), key, signature.bytes.subarray(idBytes)),
  );
}
