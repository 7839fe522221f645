import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import {
  clearable,
  Count,
  DateTime,
  Key,
  largestInteger,
  longTextLength,
  PathKey,
  shortTextLength,
  text,
} from './values.ts';

/** Radio calls: what a recorder of a radio system tells about a clip, and the names of its talkgroups. */

/** Radio systems use at most 32 bits. */
export const largestTalkgroup = 4_294_967_295;

export const TalkgroupNumber = Type.Integer({ minimum: 1, maximum: largestTalkgroup, examples: [4521] });
export const RadioUnit = Type.Integer({ minimum: 0, maximum: largestInteger, examples: [1_610_018] });

const names = {
  talkgroupLabel: Type.Optional(Type.String({ ...text(shortTextLength, 'FIRE DISP'), description: 'A short name.' })),
  talkgroupName: Type.Optional(Type.String({ ...text(longTextLength, 'Fire dispatch'), description: 'In full.' })),
  talkgroupGroup: Type.Optional(Type.String({ ...text(shortTextLength, 'Fire'), description: 'Its category.' })),
  talkgroupGroups: Type.Optional(
    Type.Array(text(shortTextLength, 'Fire'), { description: 'All its categories, if it has several.' }),
  ),
  talkgroupTag: Type.Optional(
    Type.String({ ...text(shortTextLength, 'Fire Dispatch'), description: 'Its kind of service.' }),
  ),
};

const UnitLabel = Type.Object(
  { unit: RadioUnit, label: text(shortTextLength, 'Engine 5') },
  { title: 'UnitLabel', description: 'The name that a recorder has for a radio.' },
);

export const RadioCall = Type.Object(
  {
    audioClipID: Type.Optional(Key),
    deviceID: Type.Optional(Key),
    talkgroup: Type.Optional(TalkgroupNumber),
    ...names,
    unit: Type.Optional(Type.Integer({ ...RadioUnit, description: 'The radio that transmitted first.' })),
    units: Type.Optional(Type.Array(RadioUnit, { description: 'All radios that transmitted, in their order.' })),
    unitLabels: Type.Optional(
      Type.Array(UnitLabel, { description: 'The names of these radios, as far as the recorder knows them.' }),
    ),
    talkerAlias: Type.Optional(
      Type.String({ ...text(shortTextLength, 'ENGINE 5'), description: 'The name that a radio sent about itself.' }),
    ),
    frequency: Type.Optional(Type.Integer({ ...Key, description: 'Hertz.', examples: [851_012_500] })),
    frequencies: Type.Optional(
      Type.Array(Type.Integer({ ...Key, examples: [851_012_500] }), {
        description: 'All frequencies of the call in hertz, if there were several.',
      }),
    ),
    isEmergency: Type.Optional(Type.Boolean()),
    site: Type.Optional(text(shortTextLength)),
    patches: Type.Optional(
      Type.Array(TalkgroupNumber, { description: 'Other talkgroups that the call was patched to.' }),
    ),
    arrivalDate: Type.Optional(DateTime),
    isClockOff: Type.Optional(
      Type.Boolean({ description: "Whether the recorder's clock was more than a day from the time of arrival." }),
    ),
  },
  { title: 'RadioCall', description: 'What a radio recorder tells about a clip.' },
);
export type RadioCall = Static<typeof RadioCall>;

export const Talkgroup = Type.Object(
  {
    deviceID: Type.Optional(Key),
    talkgroup: Type.Optional(TalkgroupNumber),
    ...names,
    isEdited: Type.Optional(
      Type.Boolean({ description: 'Written or imported by a person: uploads do not change its names.' }),
    ),
    lastModifiedDate: Type.Optional(DateTime),
  },
  { title: 'Talkgroup', description: 'A talkgroup that a device records, and its names.' },
);
export type Talkgroup = Static<typeof Talkgroup>;

const TalkgroupFilter = Type.Object(
  {
    deviceID: Type.Optional(
      Type.Integer({ ...Key, description: 'One device; missing or 0: every device you may read.' }),
    ),
    searchText: Type.Optional(
      Type.String({ maxLength: shortTextLength, examples: ['fire'], description: 'Part of a name or the number.' }),
    ),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [0] })),
    count: Type.Optional(Count),
  },
  { title: 'TalkgroupFilter' },
);
export type TalkgroupFilter = Static<typeof TalkgroupFilter>;

const TalkgroupUpdate = Type.Object(
  {
    talkgroup: TalkgroupNumber,
    talkgroupLabel: Type.Optional(clearable(text(shortTextLength, 'FIRE DISP'))),
    talkgroupName: Type.Optional(clearable(text(longTextLength, 'Fire dispatch'))),
    talkgroupGroup: Type.Optional(clearable(text(shortTextLength, 'Fire'))),
    talkgroupTag: Type.Optional(clearable(text(shortTextLength, 'Fire Dispatch'))),
  },
  { title: 'TalkgroupUpdate' },
);
export type TalkgroupUpdate = Static<typeof TalkgroupUpdate>;

/** A state has about 20,000 talkgroups. */
export const mostImported = 50_000;

export const longestCsv = 8_000_000;

const TalkgroupImport = Type.Object(
  {
    csv: Type.String({
      maxLength: longestCsv,
      examples: ['Decimal,Alpha Tag,Description,Tag,Category\n4521,FIRE DISP,Fire dispatch,Fire Dispatch,Fire'],
      description:
        'The text of the file. The first line names the columns: `Decimal`, and any of `Alpha Tag`, `Description`, ' +
        '`Tag`, and `Category` or `Group`, in any case and order. Without such a line, the columns are those of ' +
        'trunk-recorder: decimal, hex, mode, alpha tag, description, tag, group.',
    }),
  },
  { title: 'TalkgroupImport' },
);

const ImportedTalkgroups = Type.Object(
  {
    importedCount: Type.Integer({ minimum: 0 }),
    skippedLines: Type.Array(
      Type.Object({ line: Type.Integer({ minimum: 1 }), reason: Type.String() }, { title: 'SkippedLine' }),
      { description: 'At most 100 of the lines that were not imported.' },
    ),
  },
  { title: 'ImportedTalkgroups' },
);
export type ImportedTalkgroups = Static<typeof ImportedTalkgroups>;

export const getRadioCall = operation('radio', {
  method: 'GET',
  path: '/v1/audioclip/{audioClipID}/radio',
  summary: 'Read what a radio recorder told about a clip',
  description: 'If the clip is no radio call: 404.',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'audioclip', right: 'read', by: 'params.audioClipID' }],
  params: { audioClipID: PathKey },
  answer: RadioCall,
});

export const listTalkgroups = operation('radio', {
  method: 'POST',
  path: '/v1/talkgroup/list',
  summary: 'List the talkgroups of devices, by device and number',
  access: 'caller',
  acts: [{ record: 'device', right: 'read', by: 'body.deviceID' }],
  body: TalkgroupFilter,
  answer: Type.Array(Talkgroup),
  trail: readsOnly,
});

export const updateTalkgroup = operation('radio', {
  method: 'PUT',
  path: '/v1/talkgroup/{deviceID}',
  summary: 'Name a talkgroup of a device',
  description: 'Sets the names that are present; `null` clears a name. Uploads do not change them afterwards.',
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'params.deviceID' }],
  params: { deviceID: PathKey },
  body: TalkgroupUpdate,
  answer: Talkgroup,
  trail: 'The names of talkgroups are how clips are shown. They change no recording.',
});

export const importTalkgroups = operation('radio', {
  method: 'POST',
  path: '/v1/talkgroup/import/{deviceID}',
  repetition: 'harmless',
  summary: 'Name the talkgroups of a device from a CSV file',
  description: `The files of trunk-recorder and RadioReference. At most ${mostImported.toLocaleString('en')} lines.`,
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'params.deviceID' }],
  params: { deviceID: PathKey },
  body: TalkgroupImport,
  bodyBytes: 4 * longestCsv,
  answer: ImportedTalkgroups,
  trail: 'The names of talkgroups are how clips are shown. They change no recording.',
});
