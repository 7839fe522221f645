/*
 * Forms as libcurl writes them, which radio recorders use: parts in the given order, and a file with its type. Tests
 * send the bytes themselves, because `FormData` would write other headers.
 */

export interface FormPart {
  readonly name: string;
  readonly value: string | Uint8Array;
  /** Makes the part a file. */
  readonly filename?: string;
  readonly type?: string;
}

export interface CurlForm {
  readonly headers: { readonly 'content-type': string };
  readonly body: Uint8Array<ArrayBuffer>;
}

export function curlForm(parts: readonly FormPart[], boundary = '------------------------d74496d66958873e'): CurlForm {
  const chunks = parts.flatMap(({ name, value, filename, type }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    const head = [
      `--${boundary}`,
      `Content-Disposition: form-data; name="${name}"${file}`,
      ...(type === undefined ? [] : [`Content-Type: ${type}`]),
      '',
      '',
    ].join('\r\n');
    return [Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')];
  });
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: new Uint8Array(Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)])),
  };
}

const text = (name: string, value: string | number): FormPart => ({ name, value: String(value) });

export interface SentCall {
  readonly key: string;
  readonly sound: Uint8Array;
  readonly startTime: number;
  readonly talkgroup: number | string;
  readonly system?: number | string;
}

/** The rdio-scanner upload of trunk-recorder: the sound comes first, the key after it. */
export const trunkRecorderCall = ({ key, sound, startTime, talkgroup, system = 7 }: SentCall): readonly FormPart[] => [
  { name: 'audio', value: sound, filename: `${talkgroup}-${startTime}_851012500.wav`, type: 'audio/x-wav' },
  text('audioName', `${talkgroup}-${startTime}_851012500.wav`),
  text('audioType', 'audio/x-wav'),
  text('dateTime', startTime),
  text('frequencies', `[{"freq": 851012500, "time": ${startTime}, "pos": 0.00, "len": 2.1, "errorCount": 0}]`),
  text('frequency', '851012500.000000'),
  text('key', key),
  text('patches', `[${talkgroup}, 4600]`),
  text('talkgroup', talkgroup),
  text('talkgroupGroup', 'Fire'),
  text('talkgroupLabel', 'FIRE DISP'),
  text('talkgroupTag', 'Fire Dispatch'),
  text('talkgroupName', 'County fire dispatch'),
  text('sources', '[{"pos": 0.00, "src": 1610018}, {"pos": 1.40, "src": 1610022}, {"pos": 1.90, "src": 1610018}]'),
  text('system', system),
  text('systemLabel', 'county'),
];

/** SDRTrunk: the key comes first; the time is in seconds. */
export const sdrTrunkCall = ({ key, sound, startTime, talkgroup, system = 7 }: SentCall): readonly FormPart[] => [
  { name: 'audio', value: sound, filename: 'file.mp3', type: 'audio/mpeg' },
  text('key', key),
  text('system', system),
  text('dateTime', startTime),
  text('talkgroup', talkgroup),
  text('source', '1610018'),
  text('frequency', '851012500'),
  text('talkerAlias', 'ENGINE 5'),
  text('talkgroupLabel', 'FIRE DISP'),
  text('talkgroupGroup', 'Fire'),
  text('systemLabel', 'county'),
  text('patches', '[]'),
];

/** The test of SDRTrunk's connection. */
export const sdrTrunkProbe = (key: string): readonly FormPart[] => [
  text('key', key),
  text('system', 7),
  text('test', 1),
];

/** A downstream of rdio-scanner: the time as a date, and some names of its own. */
export const downstreamCall = ({ key, sound, startTime, talkgroup, system = 7 }: SentCall): readonly FormPart[] => [
  { name: 'audio', value: sound, filename: 'call.wav', type: 'application/octet-stream' },
  text('audioFilename', 'call.wav'),
  text('audioMime', 'audio/wav'),
  text('audioName', 'call.wav'),
  text('audioType', 'audio/wav'),
  text('dateTime', new Date(startTime * 1000).toISOString()),
  text('frequencies', '[]'),
  text('frequency', 851_012_500),
  text('key', key),
  text('patches', '[4600]'),
  text('sources', '[]'),
  text('source', 1_610_018),
  text('system', system),
  text('systemLabel', 'county'),
  text('talkgroup', talkgroup),
  text('talkgroupGroups', '["Fire","Rescue"]'),
  text('talkgroupLabel', 'FIRE DISP'),
  text('talkgroupName', 'County fire dispatch'),
  text('talkgroupTag', 'Fire Dispatch'),
  text('units', '[]'),
];

/** The older upload script of trunk-recorder: its JSON is sent as a file. */
export const trunkRecorderMeta = (
  { key, sound, startTime, talkgroup, system = 7 }: SentCall,
  more: object = {},
): readonly FormPart[] => {
  const meta = {
    freq: 851_012_500,
    start_time: startTime,
    stop_time: startTime + 3,
    emergency: 1,
    encrypted: 0,
    call_length: 3,
    talkgroup,
    talkgroup_tag: 'FIRE DISP',
    talkgroup_description: 'County fire dispatch',
    talkgroup_group_tag: 'Fire Dispatch',
    talkgroup_group: 'Fire',
    audio_type: 'digital',
    short_name: 'county',
    patched_talkgroups: [4600],
    freqList: [{ freq: 851_012_500, time: startTime, pos: 0, len: 3, error_count: 0, spike_count: 0 }],
    srcList: [{ src: 1_610_018, time: startTime, pos: 0, emergency: 1, signal_system: '', tag: 'E5' }],
    ...more,
  };
  return [
    { name: 'audio', value: sound, filename: `${talkgroup}-${startTime}.wav`, type: 'audio/wav' },
    { name: 'meta', value: JSON.stringify(meta), filename: `${talkgroup}-${startTime}.json`, type: 'application/json' },
    text('key', key),
    text('system', system),
  ];
};

/** The OpenMHz upload of trunk-recorder. */
export const openMhzCall = ({ key, sound, startTime, talkgroup }: SentCall): readonly FormPart[] => [
  { name: 'call', value: sound, filename: `${talkgroup}-${startTime}.m4a`, type: 'application/octet-stream' },
  text('freq', '851012500'),
  text('error_count', 0),
  text('spike_count', 0),
  text('start_time', startTime),
  text('stop_time', startTime + 3),
  text('call_length', 3),
  text('talkgroup_num', talkgroup),
  text('emergency', 0),
  text('api_key', key),
  text('patch_list', `[${talkgroup},4600]`),
  text('source_list', '[{ "pos": 0.00, "src": 1610018 }]'),
];
