import {
  isTrue,
  readEpochMs,
  readExactMs,
  readFrequencies,
  readJson,
  readLongName,
  readName,
  readNumber,
  readTalkgroup,
  readTalkgroups,
  readUnits,
} from '../../../platform/recorder-form/read-values.ts';

/** The JSON that trunk-recorder writes beside each call. */
export function readTrunkRecorderMeta(fields: ReadonlyMap<string, string>) {
  const given = readJson(fields.get('meta'));
  const meta = (typeof given === 'object' && given !== null ? given : {}) as Readonly<Record<string, unknown>>;
  const text = (name: string): string | undefined => (typeof meta[name] === 'string' ? meta[name] : undefined);
  const sources: unknown = meta['srcList'];
  const listed: unknown = meta['freqList'];
  const group = readName(text('talkgroup_group'));
  const isEmergency =
    isTrue(meta['emergency']) ||
    (Array.isArray(sources) && sources.some((source: { emergency?: unknown } | null) => isTrue(source?.emergency)));
  return {
    system: readNumber(fields.get('system')),
    systemLabel: readName(fields.get('systemLabel') ?? text('short_name')),
    site: null,
    startMs: readStart(meta['start_time'], meta['start_time_ms']),
    talkgroup: readTalkgroup(meta['talkgroup']),
    label: readName(text('talkgroup_tag')),
    name: readLongName(text('talkgroup_description')),
    groups: group === null ? [] : [group],
    tag: readName(text('talkgroup_group_tag')),
    units: readUnits(sources),
    talkerAlias: null,
    frequencies: readFrequencies([meta['freq'], ...(Array.isArray(listed) ? (listed as unknown[]) : [])]),
    isEmergency,
    patches: readTalkgroups(meta['patched_talkgroups']),
    isEncrypted: isTrue(meta['encrypted']),
  };
}

/** `start_time_ms` is the whole time in milliseconds, or only those within the second. */
function readStart(seconds: unknown, milliseconds: unknown): number {
  const startMs = readEpochMs(seconds);
  const withinSecond = readNumber(milliseconds, 999);
  return withinSecond > 0 && startMs > 0 ? startMs + withinSecond : readExactMs(startMs, milliseconds);
}
