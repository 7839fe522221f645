import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import { pageFields, pageManner, pageRequest, searchField } from './sorted-page.ts';
import { Counter, DateTime, Key, shortTextLength, text, WholeNumber } from './values.ts';

/** Presets as a table shows them. */

export const presetSorts = ['eventPresetName', 'creationDate'] as const;
export type PresetSort = (typeof presetSorts)[number];

const PresetPageFilter = Type.Object(
  {
    searchText: searchField('presets whose name, type, device or collection contains this text'),
    ...pageRequest(presetSorts, 'Presets without a name come last.'),
  },
  { title: 'PresetPageFilter' },
);
export type PresetPageFilter = Static<typeof PresetPageFilter>;

export const ListedPreset = Type.Object(
  {
    key: Key,
    eventPresetName: Type.Optional(text(shortTextLength)),
    eventTypeID: Type.Optional(Key),
    eventType: Type.Optional(text(shortTextLength)),
    agentTypeID: Type.Optional(Key),
    eventParameters: Type.String(),
    priority: WholeNumber,
    maxAttempts: Counter,
    expirationEpoch: Counter,
    deviceID: Type.Optional(Key),
    deviceName: Type.Optional(text(shortTextLength)),
    deviceGroupID: Type.Optional(Key),
    collectionName: Type.Optional(Type.String({ ...text(shortTextLength), description: 'Of `deviceGroupID`.' })),
    mayWrite: Type.Boolean({ description: 'Whether you may change it.' }),
    mayRun: Type.Boolean({ description: 'Whether you may run it, on every device that it is for.' }),
    creationDate: DateTime,
  },
  { title: 'ListedPreset' },
);
export type ListedPreset = Static<typeof ListedPreset>;

const PageOfPresets = Type.Object({ results: Type.Array(ListedPreset), ...pageFields }, { title: 'PageOfPresets' });
export type PageOfPresets = Static<typeof PageOfPresets>;

export const listPresetPage = operation('eventpreset', {
  method: 'POST',
  path: '/v1/eventpreset/page',
  summary: 'List presets page by page, sorted and filtered',
  description: `With the names of what they are for. ${pageManner}`,
  access: 'caller',
  acts: [],
  lists: 'eventpreset',
  body: PresetPageFilter,
  answer: PageOfPresets,
  trail: readsOnly,
});
