import type { Static } from 'typebox';
import { Type } from 'typebox';
import { Key } from './values.ts';

/** The version of `writeLeaf`. A later version must keep writing the leaves of the earlier ones. */
export const leafVersion = 1;

const Hex = (bytes: number, description: string) => Type.String({ pattern: `^[0-9a-f]{${bytes * 2}}$`, description });

/** An entry of the audit trail as it was sealed. */
export const SealedEntry = Type.Object(
  {
    version: Type.Integer({ minimum: 1, maximum: 1, examples: [leafVersion] }),
    salt: Hex(16, 'Random, so that the hash of an entry tells nothing about it. Removed when the entry is pruned.'),
    key: Key,
    auditDate: Type.String({
      maxLength: 40,
      description: 'UTC, with microseconds.',
      examples: ['2026-11-15T01:10:00.000000Z'],
    }),
    action: Type.String({ maxLength: 64 }),
    userID: Type.Optional(Key),
    sessionID: Type.Optional(Key),
    aPIKeyID: Type.Optional(Key),
    ruleID: Type.Optional(Key),
    ownerID: Type.Optional(Type.Integer({ ...Key, description: 'The owner of the device at that time.' })),
    deviceID: Type.Optional(Key),
    recordID: Type.Optional(Key),
    personID: Type.Optional(Key),
    fileID: Type.Optional(Key),
    address: Type.Optional(Type.String({ maxLength: 64 })),
    sHA256Before: Type.Optional(Type.String({ maxLength: 64 })),
    sHA256After: Type.Optional(Type.String({ maxLength: 64 })),
    isFromBefore: Type.Optional(
      Type.Boolean({
        description: 'Written before the log was sealed: the log proves only that it was there when the log began.',
      }),
    ),
  },
  { title: 'SealedAuditEntry', description: 'An entry of the audit trail with what its hash is made of.' },
);
export type SealedEntry = Static<typeof SealedEntry>;

export const sealedFields = Object.keys(SealedEntry.properties) as (keyof SealedEntry)[];

/** A field that is not part of the leaf, so that anybody could have added it. */
export const findUnsealedField = (entry: object): string | undefined =>
  Object.entries(entry).find(
    ([name, value]) => !(sealedFields as readonly string[]).includes(name) || value === null,
  )?.[0];

/**
 * The text whose hash is the leaf: JSON without white space, the fields in the order of the schema, unset ones left out.
 */
export const writeLeaf = (entry: SealedEntry): string =>
  JSON.stringify(Object.fromEntries(sealedFields.map((name) => [name, entry[name] ?? undefined])));
