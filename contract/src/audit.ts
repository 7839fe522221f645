import type { Static } from 'typebox';
import { Type } from 'typebox';
import { auditActionNames } from './audit-actions.ts';
import { operation, readsOnly } from './operation.ts';
import { Count, Cursor, DateTime, Key, oneOf, Order, pageCursors, text } from './values.ts';

/** Who did what: an append-only list of acts. It contains keys of records, no names and no texts. */

/** Playing a clip takes many range requests: for each session or key of a person and clip they are one entry in this time. */
export const readEntryMinutes = 10;

export const AuditEntry = Type.Object(
  {
    key: Type.Optional(Key),
    auditDate: Type.Optional(DateTime),
    action: Type.Optional(oneOf(...auditActionNames)),
    userID: Type.Optional(
      Type.Integer({ ...Key, description: 'Who did it. Missing: nobody is known, as after a wrong email.' }),
    ),
    sessionID: Type.Optional(Type.Integer({ ...Key, description: 'The web session in which it was done.' })),
    aPIKeyID: Type.Optional(Type.Integer({ ...Key, description: 'The API key with which it was done.' })),
    deviceID: Type.Optional(Key),
    recordID: Type.Optional(
      Type.Integer({ ...Key, description: 'The key of the record; the action says of which kind it is.' }),
    ),
    personID: Type.Optional(Type.Integer({ ...Key, description: 'The person whom it concerns.' })),
    fileID: Type.Optional(Type.Integer({ ...Key, description: 'The file that was shared.' })),
    address: Type.Optional(text(64, '203.0.113.7')),
    sHA256Before: Type.Optional(
      Type.String({
        maxLength: 64,
        description: 'SHA-256 of the sound before a change of it. Missing: none, or unknown.',
      }),
    ),
    sHA256After: Type.Optional(
      Type.String({ maxLength: 64, description: 'SHA-256 of the sound after a change of it. Missing: it has none.' }),
    ),
    leafIndex: Type.Optional(
      Type.Integer({ ...Key, description: 'Its place in the sealed log. Missing: not sealed yet, for some seconds.' }),
    ),
    ruleID: Type.Optional(
      Type.Integer({ ...Key, description: 'The rule that did it by itself, with the rights of `userID`, its owner.' }),
    ),
  },
  {
    title: 'AuditEntry',
    description:
      'One act of a person, a program or a rule. It has keys of records and hashes of sound only; the records may have been removed since. ' +
      '`address` is the network address of a sign-in.',
  },
);
export type AuditEntry = Static<typeof AuditEntry>;

const filter = {
  userID: Type.Optional(
    Type.Integer({
      ...Key,
      description: 'Acts of this person, and acts that concern them; missing or 0: of everybody.',
    }),
  ),
  deviceID: Type.Optional(Type.Integer({ ...Key, description: 'Missing or 0: every device, and acts without one.' })),
  action: Type.Optional(oneOf(...auditActionNames)),
  startDate: Type.Optional(DateTime),
  endDate: Type.Optional(DateTime),
};

const AuditFilter = Type.Object(
  { ...filter, order: Type.Optional(Order), count: Type.Optional(Count), cursor: Type.Optional(Cursor) },
  { title: 'AuditFilter', description: 'Dates are half-open: start ≤ t < end.' },
);
export type AuditFilter = Static<typeof AuditFilter>;

const AuditExport = Type.Object(filter, {
  title: 'AuditExport',
  description: 'Dates are half-open: start ≤ t < end.',
});
export type AuditExport = Static<typeof AuditExport>;

const AuditEntryPage = Type.Object({ results: Type.Array(AuditEntry), ...pageCursors }, { title: 'AuditEntryPage' });
export type AuditEntryPage = Static<typeof AuditEntryPage>;

const whoReads =
  'An admin reads all entries. Other people read what they did themselves, and what was done with devices that were ' +
  'theirs at that time.';

export const listAuditEntries = operation('audit', {
  method: 'POST',
  path: '/v1/audit/list',
  summary: 'List who did what, page by page',
  description:
    `${whoReads} Sorted by time, then key. Send the filters with each request; the cursor contains only the position. ` +
    `Playing a clip is one entry for each clip and session or key of a person in ${readEntryMinutes} minutes.`,
  access: 'caller',
  acts: [],
  lists: 'auditentry',
  body: AuditFilter,
  answer: AuditEntryPage,
  trail: readsOnly,
});

export const exportAuditEntries = operation('audit', {
  method: 'POST',
  path: '/v1/audit/export',
  repetition: 'differs',
  summary: 'Export who did what, as JSON lines or CSV',
  description:
    `${whoReads} Oldest first, of any length. The header \`Accept\` chooses \`application/x-ndjson\` (one entry in each line) or ` +
    '`text/csv` (RFC 4180, with a header line). The export is itself an act in the list.',
  access: 'caller',
  acts: [],
  body: AuditExport,
  answer: Type.String({ examples: ['{"key":1,"action":"sign-out","userID":1}\n'] }),
  media: ['application/x-ndjson', 'text/csv'],
  trail: ['audit-exported'],
});
