import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import { filledText } from './values.ts';

/** Interfaces of other recorders, as these call them. Their keys are upload keys, sent as parts of the form. */

const field = (description: string) => Type.Optional(Type.String({ description }));
const key = Type.String({
  format: 'password',
  description: 'The secret of an upload key. It may follow the sound.',
});
const sound = Type.String({ format: 'binary', description: 'WAV, MP3, M4A, FLAC, Ogg or WebM.' });

/** Of any request with a form. */
const formAnswers = {
  408: 'The form stopped arriving.',
  415: 'The request is no form.',
};

const callAnswers = {
  ...formAnswers,
  200: '`Call imported successfully.`, or `duplicate call rejected` if this call, with this sound, is stored already.',
  401: 'The key is missing, wrong or deleted.',
  413: 'The sound is too large or too long.',
  417: '`Incomplete call data: …`: what is missing, or why the sound cannot be used.',
  429: 'Too many wrong keys, or more than the key may send. `Retry-After` says when to try again.',
  503: 'Too many uploads at once, or no space left. `Retry-After` says when to try again.',
};

const talkgroup = Type.String({ examples: ['4521'], description: 'The decimal number of the talkgroup.' });
const system = Type.Optional(
  Type.String({
    examples: ['1'],
    description: 'The number of the radio system. Each system, and each site of it, becomes a device.',
  }),
);

export const uploadRdioCall = operation('gateway', {
  method: 'POST',
  path: '/api/call-upload',
  repetition: 'harmless',
  summary: 'Upload a radio call as rdio-scanner does',
  description:
    'For the rdio-scanner uploads of trunk-recorder and SDRTrunk, and for the downstreams of rdio-scanner. ' +
    'A request without a talkgroup, such as the connection test of SDRTrunk, is answered ' +
    '`Incomplete call data: no talkgroup`.',
  access: 'anyone',
  acts: [],
  bytes: 'received',
  gateway: {
    answerType: 'text/plain',
    answers: callAnswers,
    form: Type.Object(
      {
        key,
        audio: sound,
        system,
        systemLabel: field('Its name.'),
        site: field('The number of the site.'),
        talkgroup,
        talkgroupLabel: field('Its short name.'),
        talkgroupName: field('Its name in full.'),
        talkgroupGroup: field('Its category; also `talkgroupGroups`, separated by commas or as a JSON list.'),
        talkgroupTag: field('Its kind of service.'),
        dateTime: field('The start: seconds since 1970, or a date-time.'),
        timestamp: field('The start in milliseconds since 1970; beside `dateTime`, the milliseconds of that second.'),
        frequency: field('Hertz.'),
        frequencies: field('All frequencies, as a JSON list of `{freq}` or `{Frequency}`.'),
        source: field('The radio that transmitted; also `unit`.'),
        sources: field('All radios, as a JSON list of `{pos, src, tag}`.'),
        units: field('The same, as a JSON list of `{id, label, offset}` or `{UnitRef, Offset}`.'),
        talkerAlias: field('The name that the radio sent about itself.'),
        patches: field('Patched talkgroups, as a JSON list; also `patched_talkgroups`.'),
      },
      { title: 'RdioCall', description: 'Other parts are ignored.' },
    ),
  },
  trail: 'A first upload is no change of the record.',
});

export const uploadTrunkRecorderCall = operation('gateway', {
  method: 'POST',
  path: '/api/trunk-recorder-call-upload',
  repetition: 'harmless',
  summary: 'Upload a radio call with the JSON of trunk-recorder',
  description: "The older form, with the call's JSON file as the part `meta`.",
  access: 'anyone',
  acts: [],
  bytes: 'received',
  gateway: {
    answerType: 'text/plain',
    answers: callAnswers,
    form: Type.Object(
      {
        key,
        audio: sound,
        system,
        meta: Type.String({
          examples: ['{"talkgroup":4521,"start_time":1794705000}'],
          description:
            'JSON with `talkgroup` and `start_time`, and optionally `talkgroup_tag`, `talkgroup_description`, ' +
            '`talkgroup_group`, `freq`, `freqList`, `srcList`, `start_time_ms`, `emergency`, `encrypted`, `short_name`, `patched_talkgroups`.',
        }),
      },
      { title: 'TrunkRecorderCall' },
    ),
  },
  trail: 'A first upload is no change of the record.',
});

const shortName = {
  shortName: Type.String({
    ...filledText(64, 'county'),
    pattern: '^[A-Za-z0-9._-]+$',
    description: 'The short name of the radio system in the recorder: letters, digits, `.`, `_` or `-`.',
  }),
};

export const uploadOpenMhzCall = operation('gateway', {
  method: 'POST',
  path: '/openmhz/{shortName}/upload',
  repetition: 'harmless',
  summary: 'Upload a radio call as to OpenMHz',
  description:
    'Set `<this server>/openmhz` as the upload server of the recorder. A request without a talkgroup, such as the ' +
    'connection test of older versions of SDRTrunk, is answered `Incomplete call data: no talkgroup`.',
  access: 'anyone',
  acts: [],
  params: shortName,
  bytes: 'received',
  gateway: {
    answerType: 'text/plain',
    answers: {
      200: 'Stored; the response is empty.',
      400: '`Incomplete call data: …`: what is missing, or why the sound cannot be used.',
      403: 'The key is missing, wrong or deleted.',
      ...formAnswers,
      413: callAnswers[413],
      429: callAnswers[429],
      503: callAnswers[503],
    },
    form: Type.Object(
      {
        api_key: key,
        call: sound,
        talkgroup_num: talkgroup,
        start_time: Type.String({ examples: ['1794705000'], description: 'Seconds since 1970.' }),
        stop_time: field('Seconds since 1970.'),
        call_length: field('Seconds.'),
        freq: field('Hertz.'),
        emergency: field('`1` for an emergency.'),
        patch_list: field('Patched talkgroups, as a JSON list.'),
        source_list: field('Radios, as a JSON list of `{pos, src}`.'),
        talker_alias: field('The name that the radio sent about itself.'),
      },
      { title: 'OpenMhzCall', description: 'Other parts are ignored.' },
    ),
  },
  trail: 'A first upload is no change of the record.',
});

export const checkOpenMhzKey = operation('gateway', {
  method: 'POST',
  path: '/openmhz/{shortName}/authorize',
  repetition: 'harmless',
  summary: 'Check a key as for OpenMHz',
  description: 'For the connection test of SDRTrunk, which sends no call before it has got a 200.',
  access: 'anyone',
  acts: [],
  params: shortName,
  bytes: 'received',
  gateway: {
    answerType: 'text/plain',
    mayBeUrlEncoded: true,
    answers: {
      200: 'The key is valid; the response is empty.',
      400: 'The form or the short name is malformed.',
      403: 'The key is missing, wrong or deleted.',
      ...formAnswers,
      413: 'The form is too large.',
      429: callAnswers[429],
      503: callAnswers[503],
    },
    form: Type.Object({ api_key: key }, { title: 'OpenMhzKey' }),
  },
  trail: readsOnly,
});
