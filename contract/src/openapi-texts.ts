import type { Access, WriteOnlyKeys } from './operation.ts';
import type { RecordKind } from './record-kind.ts';
import { idempotencyHours } from './repetition.ts';
import { hostSessionCookie, sessionCookie } from './session.ts';
import { defaultCount, largestCount, largestInteger } from './values.ts';

/** The prose of the document, in Markdown; the API page shows the same sentences. */

export const introduction =
  'Earshot manages fleets of recorders: it keeps track of the devices and the agents on them, ' +
  'distributes work, and stores and searches their recordings.';

export const credentialsText = [
  'A program uses an **API key**, either with HTTP Basic or with a signed request. ' +
    'A person uses a **web session**. Each operation states which of them it accepts.',
  'An API key acts as its owner, but never manages API keys, users or sessions (403). ' +
    'A **device key** belongs to one device and may only call the operations that an agent of that device needs. ' +
    'A key is created in a web session; its secret is shown only once, in the response to the creation.',
].join('\n\n');

export const errorsText = [
  'Every error is `application/problem+json` (RFC 9457) with `type`, `title`, `status`, `detail` and `instance`; ' +
    'an invalid request also gets `errors`, a list of `{path, message}`. ' +
    'Every response has `X-Request-Id`, which identifies the request in the log of the server.',
  'One exception: a 400 of `POST /v1/agent` is a string, as JSON or as plain text, as `Accept` requests.',
  'Any path may also respond with 405, 408, 431 or 500, and with 409 if a record that the request refers to is removed ' +
    'at the same time; they are not repeated in each operation.',
].join('\n\n');

export const valuesText = [
  '- **Bodies** are JSON, sent as `application/json`, `text/json`, any type that ends in `+json`, or with no `Content-Type` at all.',
  '- **Unknown fields** in a request are ignored, so a whole record may be sent back.',
  '- **Unset fields** are left out of responses and are never `null`; a list is always present, `[]` when empty.',
  `- **Integers** are whole numbers up to ${largestInteger} (2^53 − 1); larger ones are refused.`,
  '- **Booleans** in a query are `true`, `false`, `True`, `False`, `1` or `0`.',
  '- **Date-times** are written in UTC with milliseconds, `2026-11-15T01:10:00.000Z`; ' +
    'any ISO 8601 date-time with an offset or `Z` and up to 7 fraction digits is accepted.',
  '- **Epochs** are whole seconds since 1970-01-01 UTC. Ranges are half-open: start ≤ t < end.',
  '- **Text** is any Unicode without NUL.',
].join('\n');

export const limitsText = [
  '- The maximum length of a text or list is stated with its field.',
  '- A JSON body is at most 1 MiB.',
  `- A list contains ${defaultCount} records unless \`count\` requests another number, at most ${largestCount}.`,
  '- Requests are limited per credential or address. Above the limit, the response is 429, with the seconds to wait in `Retry-After`. ' +
    'Failed attempts to sign in are slowed down in the same way.',
].join('\n');

export const repetitionText = [
  'If a connection is lost, or the response is a 503, it is not known whether the request was done. What only reads, and most ' +
    'requests that change something, may simply be sent again: each operation whose repetition would do something else says so.',
  `Operations that add something take the header \`Idempotency-Key\`, a text of your own choice such as a UUID. For ${idempotencyHours} hours, ` +
    'another request of the same person or API key to the same operation with that key is not done: it gets the answer of ' +
    'the first one, if its path, query and body have the same bytes (else 409) and you may still read what the answer tells (else the ' +
    'response is that of reading it, such as 404). While the first one is in progress, the response is 503 with ' +
    '`Retry-After`. A refused request is not remembered: nothing was done.',
].join('\n\n');

export const documentDescription = [
  introduction,
  '## Credentials',
  credentialsText,
  '## Errors',
  errorsText,
  '## Sending again',
  repetitionText,
  '## Values',
  valuesText,
  '## Limits',
  limitsText,
].join('\n\n');

export const basicText =
  'An API key with HTTP Basic: the access key as the name, the secret key as the password, as in `curl -u "$ACCESS:$SECRET"`.';

export const signedText = [
  'An API key whose secret is never sent: the request is signed with it. Five headers carry the signature:',
  [
    '- `Authorization: HMAC-SHA256 <accessKey>`',
    '- `X-AccessKey`: the access key again',
    '- `X-Timestamp`: the time in epoch seconds, at most 5 minutes off',
    '- `X-Nonce`: a UUID that was not used before',
    '- `X-Signature`: the hex HMAC-SHA256 of the text below, keyed with the secret key',
  ].join('\n'),
  'The text to sign is five parts, joined by newlines; white space at the start and the end of the result is then removed:',
  [
    '- the method, in capitals',
    '- the path, with a leading and without a trailing slash',
    '- the lines `Authorization: …`, `X-AccessKey: …`, `X-Nonce: …` and `X-Timestamp: …`, in this order (by name)',
    '- the query parameters, decoded, as lines `name: value`, sorted by name and then by value; empty without any. ' +
      'A control character in a name or value, a colon and a space in a name, and white space at the end of a value are refused (400)',
    '- the body, exactly as sent; empty without one. Bytes that are not UTF-8 text are signed unchanged, and nothing is removed from them',
  ].join('\n'),
  'A client may also end each header and parameter line with a newline before the parts are joined; both forms are accepted.',
].join('\n\n');

export const sessionText =
  `The cookie \`${sessionCookie}\`, which \`POST /v1/session\` sets; \`${hostSessionCookie}\` if the public address of ` +
  'the server is https. ' +
  'A request that carries it and names another origin (`Origin` or `Sec-Fetch-Site`) is refused (403).';

export const accessTexts: Readonly<Record<Access, string>> = {
  anyone: 'Needs no credentials.',
  session: 'Needs a web session.',
  admin: "Needs an admin's web session.",
  caller: 'Needs an API key or a web session; the key of one device is not sufficient.',
  agent: 'Needs an API key or a web session. A device key may call this for its own device.',
};

export const writeOnlyTexts: Readonly<Record<WriteOnlyKeys, string>> = {
  allowed: '',
  sets: 'A device key that is write-only may only set fields: `test`, `copy`, `move` and `remove` are refused (403).',
  refused: 'A device key that is write-only may not.',
};

export const gatewayText = 'Needs an upload key.';

export const recordNames: Readonly<Record<RecordKind, string>> = {
  agent: 'agent',
  alert: 'alert',
  apikey: 'API key',
  audioclip: 'audio clip',
  audiocliptag: 'tag',
  audioclipversion: 'version of the audio clip',
  auditentry: 'entry of the audit trail',
  bulkjob: 'bulk job',
  caption: 'caption',
  channel: 'channel',
  collection: 'collection',
  collectionitem: 'item',
  event: 'event',
  eventpreset: 'event preset',
  device: 'device',
  devicehealth: 'health report',
  file: 'file',
  logmessage: 'log line',
  rollout: 'rollout',
  rule: 'rule',
  savedsearch: 'saved search',
  session: 'session',
  subscription: 'subscription',
  team: 'team',
  teamname: 'team',
  upload: 'upload',
  uploadkey: 'upload key',
  user: 'person',
};

/** By resource, which is the tag of its operations. */
export const tagTexts: Readonly<Record<string, string>> = {
  agent: 'The programs on a device: they register when they start and report their state.',
  agentrelease: 'The versions of the agent that this platform has shipped.',
  agenttype: 'The kinds of agents.',
  alert: 'What rules found and people are told of once, with what was done about it.',
  apikey: 'The credentials of programs, managed by people in a web session.',
  audioclip: 'What devices record: clip records, their sound, and the search in their transcripts.',
  bell: 'What a person is told by rules, and when.',
  bulkjob: 'The same change of many devices or items, which the platform makes one after the other.',
  channel: 'Where people and programs are told outside of the platform, and what was sent there.',
  subscription: 'Changes that channels get without a rule.',
  caption: 'Words and their times, made from the sound of clips or corrected by hand.',
  collection: 'Devices and files, and the people they are shared with. One that holds devices is a device group.',
  collectionitem: 'The items of collections: devices, people and files.',
  device: 'The recorders in the field. Agents, clips and events belong to one.',
  devicehealth: 'What devices report about themselves: battery, temperature, disk, load, network and position.',
  usersetting: 'Named values that the programs of a person keep.',
  devicesetting: 'Named values that people want on a device, and that the device reports.',
  event: 'Work for the agents of a device, from enqueueing to completion.',
  eventpreset: 'Event templates of a device or a device group, ready to be run.',
  eventstatus: 'The states of an event.',
  eventtype: 'The kinds of work, each for one agent type.',
  installation: 'How the agent gets onto a device: a code for one device, exchanged once for a key.',
  rollout: 'Updates of many devices, stage by stage.',
  rule: 'What people want to be found in clips as they arrive, and what is done then.',
  file: 'Bytes that devices upload and people download.',
  live: 'A stream of every change that the caller may see.',
  gateway:
    'Interfaces of other recorders and programs, as these call them. Their responses are those of the other protocol.',
  overview: 'What happened in the last 24 hours, and what needs attention.',
  radio: 'Radio calls: talkgroups, units and frequencies of clips that radio recorders upload.',
  logmessage: 'Lines that the programs on a device log.',
  audit: 'Who did what: sign-ins, keys, sharing, deletions, exports, playback and settings.',
  savedsearch: 'Transcript searches that a person has saved for themselves.',
  service: 'The state of the service, and this document.',
  session: 'People signed in with a browser, and their passwords.',
  setup: 'The first start.',
  spokenlanguage: 'The languages that are spoken where devices record, which transcriptions follow.',
  tag: 'Names for what is heard in a clip.',
  team: 'People who share devices and watch together, and who of them is on duty.',
  sample: 'Recordings made by a speech synthesiser, to try the platform without a recorder.',
  right: 'What you may do with devices and collections.',
  upload:
    'Recordings sent in pieces by the protocol tus 1.0.0, as browsers and any tus client do: each finished upload is a clip.',
  uploadkey: 'One secret text for recorders that have one field for a key, managed by people in a web session.',
  user: 'The people of this installation.',
  vocabulary: 'Names and terms that the speech engine expects, of the installation and of device groups.',
};
