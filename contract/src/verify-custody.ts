import type { AuditHead } from './audit-head.ts';
import { readAuditHead } from './audit-head.ts';
import type { AuditProof } from './audit-log.ts';
import { findUnsealedField, writeLeaf } from './audit-leaf.ts';
import { hashLeaf, rootOfPath, rootsOfGrowth } from './audit-tree.ts';
import type { TrustedKey } from './audit-trust.ts';
import { findTrust, openHead } from './audit-trust.ts';
import type { Custody, CustodyStatement } from './custody.ts';
import { custodyFormat, writeCustody } from './custody.ts';
import { isProof } from './kept-heads.ts';
import type { OpenedNote } from './signed-note.ts';
import { isSignedBy, openNote } from './signed-note.ts';
import { findUnclear } from './unclear-json.ts';

/*
 * Checks a custody file with nothing but the file, the fingerprint of the installation's key, and heads of the log that
 * were kept elsewhere.
 *
 *   consistent   the file agrees with itself; anybody could have made it
 *   signed       the key of the fingerprint signed it; the operator of the installation could have made it later
 *   verified     and its log is, or continues, one whose head was kept elsewhere; entries after that head are signed
 */

export interface CustodyCheck {
  /** Undefined if there are faults. */
  readonly verdict: 'consistent' | 'signed' | 'verified' | undefined;
  readonly faults: readonly string[];
  readonly statement: CustodyStatement | undefined;
  /** The size of the largest log that was kept elsewhere and that the log of this file is or continues. */
  readonly keptSize: number | undefined;
}

interface Trust {
  readonly fingerprint?: string | undefined;
  /** Signed notes that were kept elsewhere. */
  readonly heads?: readonly string[];
}

const notOurs: CustodyCheck = {
  verdict: undefined,
  faults: ['This is not a custody file of Earshot.'],
  statement: undefined,
  keptSize: undefined,
};

/** Anybody may have written the file: values of other types than declared make it no custody file. */
export function verifyCustody(text: string, trust: Trust = {}): CustodyCheck {
  const given = readCustody(text);
  try {
    return given ? check(text, given, trust) : notOurs;
  } catch (error) {
    if (error instanceof TypeError) return notOurs;
    throw error;
  }
}

function check(text: string, given: Custody, { fingerprint, heads = [] }: Trust): CustodyCheck {
  const { custody: statement, signature } = given;
  const note = openNote(`${writeCustody(statement)}\n${signature}`);
  const headNote = statement.head ?? '';
  const head = readAuditHead(openNote(headNote)?.text ?? '');
  const origin = head?.origin ?? '';
  const trust = findTrust(origin, statement.keys, fingerprint);
  const faults = [
    ...textFaults(text, given, note),
    ...(head ? [] : ['It has no head of a sealed log.']),
    ...trust.faults,
    ...(head && (trust.keys.length > 0 || trust.faults.length === 0)
      ? signatureFaults(trust.keys, head, headNote, note)
      : []),
    ...(head ? statement.proofs.flatMap((proof) => proofFaults(proof, head)) : []),
    ...soundFaults(statement),
  ];
  const roots = head && rootsOf(statement, head);
  if (roots === undefined && head) faults.push('The proof that its log continues an earlier one is wrong.');
  const kept = compareHeads(heads, origin, trust.keys, roots ?? new Map());
  faults.push(...kept.faults);
  const isSigned = fingerprint !== undefined;
  const verdict = isSigned && kept.size !== undefined ? 'verified' : isSigned ? 'signed' : 'consistent';
  return { verdict: faults.length > 0 ? undefined : verdict, faults, statement, keptSize: kept.size };
}

function readCustody(text: string): Custody | undefined {
  try {
    const given = JSON.parse(text) as Custody | null;
    const isOurs = given?.custody?.format === custodyFormat && given.custody.version === 1;
    return isOurs && Array.isArray(given.custody.keys) && Array.isArray(given.custody.proofs) ? given : undefined;
  } catch {
    return undefined;
  }
}

/** What a reader of the file could believe to be signed. */
function textFaults(text: string, given: Custody, note: OpenedNote | undefined): readonly string[] {
  const unclear = findUnclear(text);
  const { custody: _, signature: __, ...others } = given;
  const count = note?.signatures.length ?? 1;
  return [
    ...(unclear === undefined ? [] : [`In the file, ${unclear}: a reader may see another value than was checked.`]),
    ...Object.keys(others).map((name) => `The file has the field ${name}, which nobody signed.`),
    ...(count === 1 ? [] : [`The file has ${count} signatures instead of one.`]),
  ];
}

/** As in the log, a key signs no file whose log is larger than the one in which it was replaced. */
function signatureFaults(
  keys: readonly TrustedKey[],
  head: AuditHead,
  headNote: string,
  note: OpenedNote | undefined,
): readonly string[] {
  const signers = keys.filter((key) => note && isSignedBy(note, head.origin, key));
  const isInUse = signers.some(({ endSize }) => endSize === undefined || head.size <= endSize);
  const late = 'The file is signed by a key that was not in use for a log of its size.';
  const wrong = 'The signature of the file is wrong: it was changed.';
  const opened = openHead(headNote, head.origin, keys);
  return [
    ...(isInUse ? [] : [signers.length > 0 ? late : wrong]),
    ...(typeof opened === 'string' ? [`Its head of the log ${opened}.`] : []),
  ];
}

function proofFaults({ entry, leafIndex, path }: AuditProof, { size, root }: AuditHead): readonly string[] {
  const strange = findUnsealedField(entry);
  if (strange !== undefined) return [`Entry ${entry.key} has the field ${strange}, which was not sealed.`];
  const hashes = path.map((hash) => Buffer.from(hash, 'hex'));
  const found = rootOfPath(hashLeaf(writeLeaf(entry)), leafIndex, size, hashes);
  return found?.toString('base64') === root ? [] : [`Entry ${entry.key} is not in the log at ${leafIndex}.`];
}

const soundActions: ReadonlySet<string> = new Set(['sound-replaced', 'sound-detached']);

/** The last change of the sound that the log knows left the present sound, or none. */
function soundFaults({ proofs, unsealed, sound }: CustodyStatement): readonly string[] {
  const last = proofs.map(({ entry }) => entry).findLast(({ action }) => soundActions.has(action));
  const isLater = unsealed.some(({ action = '' }) => soundActions.has(action));
  if (!last || isLater) return [];
  if (last.action === 'sound-detached')
    return sound.uploadedDate === undefined
      ? []
      : [`The clip has sound, although entry ${last.key} took it away and no entry gave it back.`];
  if (!last.sHA256After || last.sHA256After === sound.sHA256Hash) return [];
  return [`The present sound is not the one that entry ${last.key} left.`];
}

/** The roots of the logs that the file knows, by their sizes; undefined if its proof of growth is wrong. */
function rootsOf({ growth }: CustodyStatement, { size, root }: AuditHead): ReadonlyMap<number, string> | undefined {
  if (!growth) return new Map([[size, root]]);
  const hashes = growth.hashes.map((hash) => Buffer.from(hash, 'hex'));
  const found = rootsOfGrowth(growth.formerSize, size, hashes);
  if (found?.grown.toString('base64') !== root) return undefined;
  return new Map([
    [growth.formerSize, found.former.toString('base64')],
    [size, root],
  ]);
}

/** The largest size of a head that was kept elsewhere and has the root of this file. */
function compareHeads(
  notes: readonly string[],
  origin: string,
  keys: readonly TrustedKey[],
  roots: ReadonlyMap<number, string>,
): { readonly size: number | undefined; readonly faults: readonly string[] } {
  const kept = notes
    .map((note) => openHead(note, origin, keys))
    .filter((head) => typeof head !== 'string')
    .filter((head) => isProof(head) && roots.has(head.size));
  const others = kept.filter((head) => roots.get(head.size) !== head.root);
  const sizes = kept.filter((head) => roots.get(head.size) === head.root).map(({ size }) => size);
  return {
    size: sizes.length > 0 ? Math.max(...sizes) : undefined,
    faults: others.map(
      ({ size }) => `The log of this file has another root at size ${size} than the head kept elsewhere.`,
    ),
  };
}
