import type { Static } from 'typebox';
import { Type } from 'typebox';
import { itemConditions } from './collection-page.ts';
import { deviceConditions } from './device-page.ts';
import { eventContentFields } from './event.ts';
import { operation, readsOnly } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import { pageFields, pageManner, pageRequest, searchField } from './sorted-page.ts';
import { Counter, DateTime, Key, longTextLength, oneOf, PathKey, shortTextLength, text } from './values.ts';

/** The same change of many records, which the platform makes one after the other. */

/** Records of one job. */
export const mostBulkRecords = 10_000;
/** Jobs of one person that have not ended. */
export const mostBulkJobs = 20;
/** How long a job can be read after its end. */
export const bulkJobDays = 7;

const deviceBulkActions = ['delete', 'collect', 'sendEvent'] as const;
export const bulkActions = [...deviceBulkActions, 'takeOut'] as const;
export type BulkActionName = (typeof bulkActions)[number];

export const bulkStates = ['running', 'done', 'cancelled', 'stopped'] as const;
export type BulkState = (typeof bulkStates)[number];

const keyList = (noun: string) =>
  Type.Optional(
    Type.Array(Key, {
      maxItems: mostBulkRecords,
      examples: [[4711]],
      description: `The ${noun} by their keys; or all of \`filter\`. One of the two is required.`,
    }),
  );

const filterOf = <Schema extends ReturnType<typeof Type.Object>>(schema: Schema, noun: string) =>
  Type.Optional(
    Type.Unsafe<Static<Schema>>({
      ...schema,
      examples: [],
      description:
        `All ${noun} that match now; with \`{}\` all that you may read. What matches later is left as it is. ` +
        `If more than ${mostBulkRecords.toLocaleString('en')} match: 409.`,
    }),
  );

const BulkEvent = Type.Object(eventContentFields, { title: 'BulkEvent' });
export type BulkEvent = Static<typeof BulkEvent>;

const StartDeviceBulk = Type.Object(
  {
    action: Type.Unsafe<(typeof deviceBulkActions)[number]>({
      ...oneOf(...deviceBulkActions),
      examples: ['sendEvent'],
      description:
        '`delete`: as `DELETE /v1/device/{deviceID}`. `collect`: adds each to the collection `collectionID`. ' +
        '`sendEvent`: sends each the `event`.',
    }),
    deviceIDs: keyList('devices'),
    filter: filterOf(Type.Object(deviceConditions, { title: 'DeviceConditions' }), 'devices'),
    collectionID: Type.Optional(Type.Integer({ ...Key, examples: [], description: 'For `collect`.' })),
    event: Type.Optional(
      Type.Unsafe<BulkEvent>({
        ...BulkEvent,
        examples: [{ eventType: 'Report_diagnostics' }],
        description: 'For `sendEvent`: as in `POST /v1/event`, without a device and without a postback.',
      }),
    ),
  },
  { title: 'StartDeviceBulk' },
);
export type StartDeviceBulk = Static<typeof StartDeviceBulk>;

const TakeOutItems = Type.Object(
  {
    collectionItemIDs: keyList('items'),
    filter: filterOf(Type.Object(itemConditions, { title: 'ItemConditions' }), 'items'),
  },
  { title: 'TakeOutItems' },
);
export type TakeOutItems = Static<typeof TakeOutItems>;

export const BulkJob = Type.Object(
  {
    key: Key,
    userID: Type.Integer({ ...Key, description: 'Who started it, whose rights it has.' }),
    action: Type.Unsafe<BulkActionName>({
      ...oneOf(...bulkActions),
      description: '`takeOut`: takes items out of a collection.',
    }),
    state: Type.Unsafe<BulkState>({
      ...oneOf(...bulkStates),
      description:
        '`done`: every record was tried. `cancelled`: a person ended it. `stopped`: the platform ended it, see `reason`.',
    }),
    reason: Type.Optional(text(longTextLength)),
    total: Type.Integer({ ...Counter, description: 'Records that it names.' }),
    doneCount: Type.Integer({ ...Counter, description: 'Records that were changed.' }),
    failedCount: Type.Integer({ ...Counter, description: 'Records that could not be changed.' }),
    collectionID: Type.Optional(Key),
    collectionName: Type.Optional(
      Type.String({ ...text(shortTextLength), description: 'If you may read the collection.' }),
    ),
    eventType: Type.Optional(text(shortTextLength)),
    creationDate: DateTime,
    endDate: Type.Optional(DateTime),
  },
  { title: 'BulkJob', description: 'The same change of many records, made one after the other.' },
);
export type BulkJob = Static<typeof BulkJob>;

const manner =
  'Answers at once with a job; the platform then makes the changes one after the other, also while you are away, each as ' +
  'the single operation does and with the rights that you have at that moment. Whatever happens to a server, each record ' +
  'is changed once. It stops if your account is disabled or the API key that started it is revoked. ' +
  `If ${mostBulkJobs} jobs of yours have not ended: 409.`;

export const startDeviceBulk = operation('bulkjob', {
  method: 'POST',
  path: '/v1/device/bulk',
  summary: 'Delete many devices, add them to a collection, or send all an event',
  description: manner,
  access: 'caller',
  acts: [],
  headers: onceHeaders,
  body: StartDeviceBulk,
  answer: BulkJob,
  errors: [403, 404, 409],
  trail: 'Each change that it makes is in the trail, as that of the single operation.',
});

export const takeOutItems = operation('bulkjob', {
  method: 'POST',
  path: '/v1/collection/{collectionID}/items/takeout',
  summary: 'Take many items out of a collection',
  description: manner,
  access: 'caller',
  acts: [{ record: 'collection', right: 'read', by: 'params.collectionID' }],
  params: { collectionID: PathKey },
  headers: onceHeaders,
  body: TakeOutItems,
  answer: BulkJob,
  errors: [409],
  trail: 'Each item that it takes out is in the trail, as that of the single operation.',
});

export const listBulkJobs = operation('bulkjob', {
  method: 'GET',
  path: '/v1/bulkjob/list',
  summary: 'List bulk jobs, newest first',
  description: `Your own, at most 100; an admin gets those of everybody. They are kept for ${bulkJobDays} days after their end.`,
  access: 'caller',
  acts: [],
  lists: 'bulkjob',
  answer: Type.Array(BulkJob),
});

const params = { bulkJobID: PathKey };
const acts = [{ record: 'bulkjob', right: 'own', by: 'params.bulkJobID' }] as const;

export const getBulkJob = operation('bulkjob', {
  method: 'GET',
  path: '/v1/bulkjob/{bulkJobID}',
  summary: 'Read a bulk job and its progress',
  access: 'caller',
  acts,
  params,
  answer: BulkJob,
});

export const cancelBulkJob = operation('bulkjob', {
  method: 'POST',
  path: '/v1/bulkjob/{bulkJobID}/cancel',
  repetition: 'harmless',
  summary: 'Cancel a bulk job',
  description:
    'When this answers, it changes nothing more. What it has changed stays changed. A job that has ended stays as it is.',
  access: 'caller',
  acts,
  params,
  answer: BulkJob,
  trail: 'It changes no record.',
});

/** `position`: in the order in which they were tried. */
export const bulkFailureSorts = ['position'] as const;
export type BulkFailureSort = (typeof bulkFailureSorts)[number];

const BulkFailureFilter = Type.Object(
  {
    searchText: searchField('failures whose name or reason contains this text'),
    ...pageRequest(bulkFailureSorts),
  },
  { title: 'BulkFailureFilter' },
);
export type BulkFailureFilter = Static<typeof BulkFailureFilter>;

const BulkFailure = Type.Object(
  {
    recordKey: Type.Integer({ ...Key, description: 'Of the device or item.' }),
    recordName: Type.Optional(
      Type.String({ ...text(shortTextLength), description: 'When the job was started, if you could read it.' }),
    ),
    reason: Type.String({ examples: ['There is no device 1, or you may not see it.'] }),
    failedDate: DateTime,
  },
  { title: 'BulkFailure' },
);
export type BulkFailure = Static<typeof BulkFailure>;

const BulkFailurePage = Type.Object({ results: Type.Array(BulkFailure), ...pageFields }, { title: 'BulkFailurePage' });
export type BulkFailurePage = Static<typeof BulkFailurePage>;

export const listBulkFailures = operation('bulkjob', {
  method: 'POST',
  path: '/v1/bulkjob/{bulkJobID}/failures/page',
  summary: 'List the records that a bulk job could not change, by name and with the reason',
  description: pageManner,
  access: 'caller',
  acts,
  params,
  body: BulkFailureFilter,
  answer: BulkFailurePage,
  trail: readsOnly,
});
