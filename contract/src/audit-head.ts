/*
 * The head of the sealed audit log: what is signed. Its text is a checkpoint as C2SP defines it
 * (https://c2sp.org/tlog-checkpoint): the name of the log, its size, its root; then lines of our own.
 *
 *   earshot-audit/6f0e…
 *   1234
 *   2cJ…=                              root, base64
 *   signed 2026-11-18T16:20:00.000Z
 *   key p8Ki…=                         of the signer, base64: a head kept elsewhere is enough to check its signature
 *   kept-since 2025-11-01 400          only if entries were pruned: all of before that day, and their number
 *   epoch 1 9b1c… 0 -
 *   epoch 2 e07a… 812 q3Y…=            began after a restore; the last head known then had 812 leaves and this root
 */

export interface AuditEpoch {
  readonly number: number;
  /** Random: two restores of one backup are two epochs. */
  readonly id: string;
  readonly startSize: number;
  /** In base64; undefined for the first epoch. */
  readonly startRoot: string | undefined;
}

export interface PrunedEntries {
  /** A day (UTC): only entries of before it were pruned. */
  readonly keptSince: string;
  readonly count: number;
}

export interface AuditHead {
  readonly origin: string;
  readonly size: number;
  /** In base64. */
  readonly root: string;
  readonly signedDate: string;
  /** Of the signer, in base64. */
  readonly publicKey: string;
  /** Undefined: no entry was pruned. */
  readonly pruned: PrunedEntries | undefined;
  /** The last one is the epoch of this head. */
  readonly epochs: readonly AuditEpoch[];
}

export const writeHead = ({ origin, size, root, signedDate, publicKey, pruned, epochs }: AuditHead): string =>
  [
    origin,
    size,
    root,
    `signed ${signedDate}`,
    `key ${publicKey}`,
    ...(pruned ? [`kept-since ${pruned.keptSince} ${pruned.count}`] : []),
    ...epochs.map(({ number, id, startSize, startRoot }) => `epoch ${number} ${id} ${startSize} ${startRoot ?? '-'}`),
    '',
  ].join('\n');

const form =
  /^(?<origin>earshot-audit\/[0-9a-f-]+)\n(?<size>\d{1,15})\n(?<root>[A-Za-z0-9+/]{43}=)\nsigned (?<signedDate>\S+)\nkey (?<publicKey>[A-Za-z0-9+/]{43}=)\n(?:kept-since (?<keptSince>\d{4}-\d\d-\d\d) (?<count>\d{1,15})\n)?(?<epochs>(?:epoch \d{1,6} [0-9a-f-]+ \d{1,15} (?:-|[A-Za-z0-9+/]{43}=)\n)+)$/;

/** Undefined if the text is not the head of an audit log. */
export function readAuditHead(text: string): AuditHead | undefined {
  const { groups } = form.exec(text) ?? {};
  if (!groups) return undefined;
  const { origin = '', size, root = '', signedDate = '', publicKey = '', keptSince, count, epochs = '' } = groups;
  const pruned = keptSince === undefined ? undefined : { keptSince, count: Number(count) };
  const list = epochs.trimEnd().split('\n').map(readEpoch);
  return { origin, size: Number(size), root, signedDate, publicKey, pruned, epochs: list };
}

function readEpoch(line: string): AuditEpoch {
  const [, number, id = '', startSize, startRoot] = line.split(' ');
  return {
    number: Number(number),
    id,
    startSize: Number(startSize),
    startRoot: startRoot === '-' ? undefined : startRoot,
  };
}

/** What introduces a new key: signed by the former key and by itself. */
export interface KeyChange {
  readonly origin: string;
  /** The former key signs no larger log, the new one no smaller log. */
  readonly size: number;
  /** In base64. */
  readonly publicKey: string;
  readonly signedDate: string;
}

export const writeKeyChange = ({ origin, size, publicKey, signedDate }: KeyChange): string =>
  `earshot-audit-key\n${origin}\n${size}\n${publicKey}\nsigned ${signedDate}\n`;

const changeForm =
  /^earshot-audit-key\n(?<origin>earshot-audit\/[0-9a-f-]+)\n(?<size>\d{1,15})\n(?<publicKey>[A-Za-z0-9+/]{43}=)\nsigned (?<signedDate>\S+)\n$/;

export function readKeyChange(text: string): KeyChange | undefined {
  const { origin, size, publicKey, signedDate } = changeForm.exec(text)?.groups ?? {};
  if (origin === undefined || publicKey === undefined || signedDate === undefined) return undefined;
  return { origin, size: Number(size), publicKey, signedDate };
}
