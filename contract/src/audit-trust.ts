import type { AuditHead } from './audit-head.ts';
import { readAuditHead, readKeyChange } from './audit-head.ts';
import type { AuditLogKey } from './audit-log.ts';
import type { NoteKey } from './signed-note.ts';
import { decodeBase64, isSignedBy, noteKeyOf, openNote } from './signed-note.ts';

/** A key with the sizes of the log that it may sign. */
export interface TrustedKey extends NoteKey {
  readonly startSize: number;
  /** Undefined: the newest key. */
  readonly endSize: number | undefined;
}

export interface TrustedKeys {
  readonly keys: readonly TrustedKey[];
  readonly faults: readonly string[];
}

export const plainFingerprint = (text: string): string => text.toLowerCase().replaceAll(/[^0-9a-f]/g, '');

/**
 * The keys that can be trusted. Given a fingerprint, these are its key and those that are joined to it by notes which
 * both neighbours have signed; without one, all given keys.
 */
export function findTrust(origin: string, given: readonly AuditLogKey[], fingerprint: string | undefined): TrustedKeys {
  const faults: string[] = [];
  const all = given.map(({ publicKey, startSize }, index): TrustedKey => {
    const key = noteKeyOf(decodeBase64(publicKey) ?? Buffer.of());
    return { ...key, startSize, endSize: given[index + 1]?.startSize };
  });
  const isJoined = given.map((key, index) => index === 0 || isIntroduced(origin, key, all[index - 1], all[index]));
  // Nothing signs these: a person may copy a fingerprint that is shown, and former keys may be left out.
  const [first] = given;
  if (first && (first.startSize !== 0 || first.note !== undefined)) faults.push('Key 1 is not the first key of a log.');
  for (const [index, joined] of isJoined.entries()) {
    if (given[index]?.fingerprint !== all[index]?.fingerprint)
      faults.push(`Key ${index + 1} is shown with a fingerprint that is not its own.`);
    if (!joined) faults.push(`Key ${index + 1} is not introduced by the key before it.`);
  }
  if (fingerprint === undefined) return { keys: all, faults };
  const known = all.findIndex((key) => key.fingerprint === plainFingerprint(fingerprint));
  if (known < 0) {
    faults.push(`No key has the fingerprint ${fingerprint}: this was signed with another key.`);
    return { keys: [], faults };
  }
  const firstBroken = isJoined.findIndex((joined, index) => index > known && !joined);
  const start = isJoined.findLastIndex((joined, index) => index <= known && (index === 0 || !joined));
  return { keys: all.slice(start, firstBroken < 0 ? all.length : firstBroken), faults };
}

function isIntroduced(
  origin: string,
  { note = '', publicKey, startSize }: AuditLogKey,
  former: NoteKey | undefined,
  key: NoteKey | undefined,
): boolean {
  const opened = openNote(note);
  const change = readKeyChange(opened?.text ?? '');
  if (!opened || !change || !former || !key) return false;
  const isSame = change.origin === origin && change.publicKey === publicKey && change.size === startSize;
  return isSame && isSignedBy(opened, origin, former) && isSignedBy(opened, origin, key);
}

/** The key of a head that was kept elsewhere, if it has the fingerprint. An export may show other keys. */
export function findKeptKey(notes: readonly string[], fingerprint: string): TrustedKey | undefined {
  for (const note of notes) {
    const head = readAuditHead(openNote(note)?.text ?? '');
    const key = noteKeyOf(Buffer.from(head?.publicKey ?? '', 'base64'));
    if (key.fingerprint === plainFingerprint(fingerprint)) return { ...key, startSize: 0, endSize: undefined };
  }
  return undefined;
}

/**
 * A head, or in words why it cannot be trusted. `isLost`: of entries that a restored backup does not have. Sizes repeat
 * after it, so they do not tell whether the key was in use.
 */
export function openHead(
  note: string,
  origin: string | undefined,
  keys: readonly TrustedKey[],
  isLost: (head: AuditHead) => boolean = () => false,
): AuditHead | string {
  const opened = openNote(note);
  const head = readAuditHead(opened?.text ?? '');
  if (!opened || !head) return 'is not a signed head of an audit log';
  if (origin !== undefined && head.origin !== origin) return `belongs to another log, ${head.origin}`;
  const signer = keys.find((key) => isSignedBy(opened, head.origin, key));
  if (!signer || signer.publicKey.toString('base64') !== head.publicKey) return 'is not signed by a trusted key';
  const isInTime = head.size >= signer.startSize && (signer.endSize === undefined || head.size <= signer.endSize);
  return isInTime || isLost(head) ? head : 'is signed by a key that was not in use for a log of its size';
}
