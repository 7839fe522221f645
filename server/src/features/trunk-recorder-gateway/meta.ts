import {
  isTrue,
  readEpochMs,
  readJson,
  readLongText,
  readNumber,
  readNumbers,
  readShortText,
  readTalkgroup,
  readTalkgroups,
} from '../../platform/uploads/read-values.ts';

/** The JSON that trunk-recorder writes beside each call. */
export function readTrunkRecorderMeta(fields: ReadonlyMap<string, string>) {
  const given = readJson(fields.get('meta'));
  const meta = (typeof given === 'object' && given !== null ? given : {}) as Readonly<Record<string, unknown>>;
  const text = (name: string): string | undefined => (typeof meta[name] === 'string' ? meta[name] : undefined);
  const sources: unknown = meta['srcList'];
  const isEmergency =
    isTrue(meta['emergency']) ||
    (Array.isArray(sources) && sources.some((source: { emergency?: unknown } | null) => isTrue(source?.emergency)));
  return {
    system: readNumber(fields.get('system')),
    systemLabel: readShortText(fields.get('systemLabel') ?? text('short_name')),
    site: null,
    startMs: readEpochMs(meta['start_time']),
    talkgroup: readTalkgroup(meta['talkgroup']),
    label: readShortText(text('talkgroup_tag')),
    name: readLongText(text('talkgroup_description')),
    group: readShortText(text('talkgroup_group')),
    tag: readShortText(text('talkgroup_group_tag')),
    units: readNumbers(sources, 'src'),
    frequency: readNumber(meta['freq']) || null,
    isEmergency,
    patches: readTalkgroups(meta['patched_talkgroups']),
    isEncrypted: isTrue(meta['encrypted']),
  };
}
