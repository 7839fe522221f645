import type { Static } from 'typebox';
import { Type } from 'typebox';
import { AuditEntry } from './audit.ts';
import { AuditLogGrowth, AuditLogKey, AuditProof } from './audit-log.ts';
import { operation } from './operation.ts';
import { Counter, DateTime, Epoch, Key, Milliseconds, PathKey, shortTextLength, text } from './values.ts';

/** What the platform knows of a clip, as one signed file that `earshot verify-custody` checks offline. */

export const custodyFormat = 'earshot-custody';

const CustodyClip = Type.Object(
  {
    audioClipID: Key,
    deviceID: Key,
    deviceSerial: Type.Optional(text(shortTextLength)),
    announcedDate: DateTime,
    announcedBy: Type.Optional(Type.Integer({ ...Key, description: 'The person, or the owner of the key.' })),
    startTime: Epoch,
    startTimeMs: Milliseconds,
    endTime: Type.Optional(Epoch),
    endTimeMs: Type.Optional(Milliseconds),
    givenStartTime: Type.Optional(
      Type.Integer({ ...Epoch, description: 'The start that the sender of the sound gave.' }),
    ),
    givenStartTimeMs: Type.Optional(Milliseconds),
    lockDate: Type.Optional(DateTime),
    lockedBy: Type.Optional(Key),
  },
  { title: 'CustodyClip', description: 'The clip as it is now.' },
);

const CustodySound = Type.Object(
  {
    sHA256Hash: Type.Optional(text(64)),
    fileSize: Type.Optional(Counter),
    uploadedDate: Type.Optional(Type.String({ ...DateTime, description: 'Missing: the sound is not here.' })),
    firstSHA256Hash: Type.Optional(
      Type.String({
        ...text(64),
        description: 'Of the sound that arrived first, if it was replaced or taken away since.',
      }),
    ),
  },
  {
    title: 'CustodySound',
    description:
      'The present sound; without `uploadedDate` the hash of the sound that the clip had before it expired. No hash: a person took the sound away, or there was none.',
  },
);

const CustodyFormerSound = Type.Object(
  {
    audioClipVersionID: Key,
    sHA256Hash: Type.Optional(text(64)),
    fileSize: Type.Optional(Counter),
    startTime: Epoch,
    startTimeMs: Milliseconds,
    endTime: Type.Optional(Epoch),
    endTimeMs: Type.Optional(Milliseconds),
    formerDate: DateTime,
    replacedBy: Type.Optional(Key),
  },
  {
    title: 'CustodyFormerSound',
    description: 'A sound that was replaced or taken away and is still kept, with its times.',
  },
);

export const CustodyStatement = Type.Object(
  {
    format: Type.Literal(custodyFormat),
    version: Type.Literal(1),
    issuedDate: DateTime,
    issuedTo: Key,
    clip: CustodyClip,
    sound: CustodySound,
    formerSound: Type.Array(CustodyFormerSound, { description: 'The newest first.' }),
    head: Type.Optional(
      Type.String({ description: 'The signed head of the sealed audit log, under which the proofs are.' }),
    ),
    growth: Type.Optional(AuditLogGrowth),
    keys: Type.Array(AuditLogKey),
    proofs: Type.Array(AuditProof, {
      description:
        'What was done with the clip, by keys of people and API keys: each entry with its proof, oldest first.',
    }),
    unsealed: Type.Array(AuditEntry, { description: 'Entries that have no proof yet.' }),
    unknown: Type.Array(Type.String(), { description: 'What this file cannot know.' }),
  },
  { title: 'CustodyStatement' },
);
export type CustodyStatement = Static<typeof CustodyStatement>;

const Custody = Type.Object(
  {
    custody: CustodyStatement,
    signature: Type.String({
      description:
        'The lines of a signed note (https://c2sp.org/signed-note). Its text is the line `earshot-custody 1`, then a line with ' +
        '`custody` as JSON without white space, with its fields in this order.',
    }),
  },
  { title: 'Custody' },
);
export type Custody = Static<typeof Custody>;

/** The text that is signed. Its first line names its kind. */
export const writeCustody = (statement: CustodyStatement): string =>
  `${custodyFormat} ${statement.version}\n${JSON.stringify(statement)}\n`;

export const exportCustody = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/{audioClipID}/custody',
  repetition: 'differs',
  summary: 'Export what is known of a clip, signed',
  description:
    'One file for the owner of the device and admins: when the clip was announced and its sound uploaded, hashes, changes, who ' +
    'played and exported it and downloaded exports, former sound and reports of alerts with it (as keys), proofs into the sealed audit log, and what the platform cannot know. Check it offline with ' +
    '`earshot verify-custody`. Entries of a time when the device had another owner are only for admins. The export is itself an ' +
    'entry.',
  access: 'caller',
  acts: [{ record: 'audioclip', right: 'own', by: 'params.audioClipID' }],
  params: { audioClipID: PathKey },
  answer: Custody,
  trail: ['custody-exported'],
});
