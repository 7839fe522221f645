import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import { Counter, Epoch, Key, shortTextLength, text, TimeZone } from './values.ts';

/** Counts of clips for hundreds of devices: the rows of a timeline of the fleet. */

export const mostFleetRows = 150;
export const mostFleetBuckets = 200;
/** In one answer at most about this number of clips is counted. */
export const mostFleetClips = 200_000;

const FleetClipsFilter = Type.Object(
  {
    startEpoch: Type.Integer({ ...Epoch, description: 'Where the first bucket begins.' }),
    bucketSeconds: Type.Integer({ minimum: 60, maximum: 604_800, examples: [86_400] }),
    bucketCount: Type.Integer({ minimum: 1, maximum: mostFleetBuckets, examples: [30] }),
    collectionID: Type.Optional(
      Type.Integer({ ...Key, examples: [0], description: 'Only its devices; missing or 0: every device.' }),
    ),
    searchText: Type.Optional(
      Type.String({ maxLength: shortTextLength, examples: [''], description: 'Part of a name or serial.' }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [0] })),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: mostFleetRows, examples: [100] })),
  },
  { title: 'FleetClipsFilter' },
);
export type FleetClipsFilter = Static<typeof FleetClipsFilter>;

const FleetClipsRow = Type.Object(
  {
    collectionID: Type.Optional(
      Type.Integer({ ...Key, description: 'Missing: the device is in no collection that you may read.' }),
    ),
    collectionName: Type.Optional(text(shortTextLength)),
    deviceID: Key,
    deviceName: Type.Optional(text(shortTextLength)),
    timeZone: Type.Optional(TimeZone),
    counts: Type.Array(Counter, { description: 'The clips that begin in each bucket, up to `mostOfBucket`.' }),
  },
  { title: 'FleetClipsRow' },
);
export type FleetClipsRow = Static<typeof FleetClipsRow>;

const FleetClips = Type.Object(
  {
    total: Type.Integer({ ...Counter, description: 'Rows there are; a device has one in each of its collections.' }),
    mostOfBucket: Type.Integer({ ...Counter, description: 'A count that is as large as this stands for more.' }),
    results: Type.Array(FleetClipsRow),
  },
  { title: 'FleetClips' },
);
export type FleetClips = Static<typeof FleetClips>;

export const countFleetClips = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/list/fleet',
  summary: 'Count clips over time for many devices',
  description:
    'A row for each device, by the name of its collection, then by its own; devices in no collection come last. Clips are ' +
    'counted where they begin.',
  access: 'caller',
  acts: [{ record: 'collection', right: 'read', by: 'body.collectionID' }],
  body: FleetClipsFilter,
  answer: FleetClips,
  trail: readsOnly,
});
