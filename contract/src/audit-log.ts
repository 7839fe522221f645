import type { Static } from 'typebox';
import { Type } from 'typebox';
import { SealedEntry } from './audit-leaf.ts';
import { operation } from './operation.ts';
import { Counter, DateTime, Key } from './values.ts';

/** The sealed form of the audit trail: a Merkle tree whose head is signed (decision 0035). */

const Note = Type.String({
  description: 'A signed note (https://c2sp.org/signed-note): the head of the log as text, and its signature.',
});

export const AuditLogKey = Type.Object(
  {
    publicKey: Type.String({ description: 'Ed25519, in base64.' }),
    fingerprint: Type.String({
      description: 'SHA-256 of the public key. Keep it elsewhere, to verify exports with it.',
    }),
    startSize: Type.Integer({ ...Counter, description: 'The size of the log when the key began to sign.' }),
    note: Type.Optional(
      Type.String({ description: 'Introduces the key, signed by the key before it. Missing for the first key.' }),
    ),
  },
  { title: 'AuditLogKey' },
);
export type AuditLogKey = Static<typeof AuditLogKey>;

const AuditLogState = Type.Object(
  {
    size: Type.Integer({ ...Counter, description: 'The number of sealed entries.' }),
    head: Type.Optional(Note),
    headDate: Type.Optional(DateTime),
    epoch: Type.Integer({ ...Key, description: 'Begins at 1; each restored backup begins a new one.' }),
    keys: Type.Array(AuditLogKey),
    unsealedCount: Type.Integer({
      ...Counter,
      description: 'Entries that wait to be sealed, usually for some seconds.',
    }),
    unsealedSince: Type.Optional(DateTime),
    keepsHeadsElsewhere: Type.Boolean({ description: 'Whether `EARSHOT_AUDIT_HEADS` is set.' }),
    sentSize: Type.Optional(Type.Integer({ ...Counter, description: 'The size of the last head that was sent away.' })),
    sentDate: Type.Optional(DateTime),
    sendFault: Type.Optional(Type.String({ description: 'Why the last attempt to send a head failed.' })),
    isLate: Type.Boolean({
      description: 'Whether entries wait too long to be sealed, or a head waits too long to be sent.',
    }),
  },
  { title: 'AuditLogState' },
);
export type AuditLogState = Static<typeof AuditLogState>;

/** That an entry is in the log. */
export const AuditProof = Type.Object(
  {
    leafIndex: Counter,
    entry: SealedEntry,
    path: Type.Array(Type.String(), {
      description: 'The inclusion path (RFC 9162, 2.1.3), from the leaf upwards, in hexadecimal digits.',
    }),
  },
  { title: 'AuditProof' },
);
export type AuditProof = Static<typeof AuditProof>;

/** That the log of one head continues the log of an earlier head. */
export const AuditLogGrowth = Type.Object(
  {
    formerSize: Type.Integer({ ...Counter, description: 'Of the earlier head.' }),
    hashes: Type.Array(Type.String(), {
      description:
        'The roots of the subtrees of which both logs consist, in the order of the leaves (RFC 9162, 2.1.4).',
    }),
  },
  {
    title: 'AuditLogGrowth',
    description: 'That the log continues the one whose head was sent away last. Missing: none was sent.',
  },
);
export type AuditLogGrowth = Static<typeof AuditLogGrowth>;

export const auditLogFormat = 'earshot-audit-log';

/** The first line of an export of the log. */
export interface AuditLogHeader {
  readonly format: typeof auditLogFormat;
  readonly version: 1;
  readonly head: string;
  readonly keys: readonly AuditLogKey[];
}

/** Each further line, in the order of the leaves. A pruned entry has only its hash. */
export interface AuditLogLine {
  readonly leafIndex: number;
  /** Of the leaf, in hexadecimal digits. */
  readonly hash: string;
  readonly entry?: SealedEntry;
}

export const getAuditLog = operation('audit', {
  method: 'GET',
  path: '/v1/audit/log',
  summary: 'How far the audit trail is sealed',
  access: 'admin',
  acts: [],
  answer: AuditLogState,
});

export const exportAuditLog = operation('audit', {
  method: 'POST',
  path: '/v1/audit/log/export',
  repetition: 'differs',
  summary: 'Export the sealed log, to verify it offline',
  description:
    'The first line has the signed head and the keys, each further line one leaf. `earshot verify-audit` checks it. ' +
    'Pruned entries have only their hash. The export is itself an act in the audit trail.',
  access: 'admin',
  acts: [],
  answer: Type.String({ examples: ['{"format":"earshot-audit-log","version":1}\n'] }),
  media: ['application/x-ndjson'],
  trail: ['audit-exported'],
});

export const changeAuditKey = operation('audit', {
  method: 'POST',
  path: '/v1/audit/log/key',
  repetition: 'differs',
  summary: 'Replace the key that signs the log',
  description:
    'The former key signs the new one, so its fingerprint still verifies the log. Its secret part is deleted; its public part stays.',
  access: 'admin',
  acts: [],
  answer: AuditLogState,
  trail: ['audit-key-changed'],
});
