import { parseDateTime } from '@earshot/contract/date-time';
import { latestEpoch } from '@earshot/contract/values';
import {
  isTrue,
  readEpochMs,
  readExactMs,
  readFrequencies,
  readJson,
  readLongName,
  readName,
  readNames,
  readNumber,
  readShortText,
  readTalkgroup,
  readTalkgroups,
  readUnits,
  serialPart,
} from '../../../platform/recorder-form/read-values.ts';
import type { CallToStore } from '../call/store-call.ts';

type Fields = ReadonlyMap<string, string>;

/** What rdio-scanner's uploaders say about a call; undefined values are missing. */
export type RdioCall = Omit<CallToStore, 'recorder'> & {
  readonly system: number;
  readonly systemLabel: string | null;
};

/** Which part of a call is missing; undefined if none is. A missing talkgroup is named before all others. */
export function missingPart(call: RdioCall, hasSound: boolean): string | undefined {
  if (call.talkgroup === 0) return 'no talkgroup';
  if (call.system === 0) return 'no system';
  if (call.startMs === 0) return 'no datetime';
  return hasSound ? undefined : 'no audio';
}

export function readRdioCall(fields: Fields): RdioCall {
  const first = (...names: readonly string[]) =>
    names.map((name) => fields.get(name)).find((value) => value !== undefined);
  const list = (name: string): readonly unknown[] => {
    const value = readJson(fields.get(name));
    return Array.isArray(value) ? value : [];
  };
  const group = readName(fields.get('talkgroupGroup'));
  const frequencies = readFrequencies([fields.get('frequency'), ...list('frequencies')]);
  return {
    system: readNumber(fields.get('system')),
    systemLabel: readName(fields.get('systemLabel')),
    site: readShortText(fields.get('site')),
    startMs: readStart(fields.get('dateTime'), fields.get('timestamp')),
    talkgroup: readTalkgroup(fields.get('talkgroup')),
    label: readName(fields.get('talkgroupLabel')),
    name: readLongName(fields.get('talkgroupName')),
    groups: [...new Set([...(group === null ? [] : [group]), ...readNames(fields.get('talkgroupGroups'))])],
    tag: readName(fields.get('talkgroupTag')),
    units: readUnits([first('source', 'unit'), ...list('sources'), ...list('units')]),
    talkerAlias: readName(fields.get('talkerAlias')),
    frequencies,
    isEmergency: isTrue(fields.get('emergency')),
    patches: readTalkgroups(readJson(first('patches', 'patched_talkgroups'))),
  };
}

/** Milliseconds since 1970; 0 if there is no valid time. */
function readStart(dateTime: string | undefined, timestamp: string | undefined): number {
  const given = dateTime?.trim() ?? '';
  const ms = /^\d+$/.test(given) ? readEpochMs(given) : (parseDateTime(given)?.getTime() ?? 0);
  return readExactMs(ms > 0 && ms <= latestEpoch * 1000 ? ms : 0, timestamp);
}

/** Each system and site of a key is a device. The platform makes its serial, so two owners never share one. */
export function recorderOf(
  { system, systemLabel, site }: Pick<RdioCall, 'system' | 'systemLabel' | 'site'>,
  uploadKeyID: number,
): CallToStore['recorder'] {
  const place = site === null ? '' : `-${serialPart(site)}`;
  const named = systemLabel ?? `System ${system}`;
  return {
    source: JSON.stringify(['rdio', system, site]),
    serial: `rdio-${uploadKeyID}-${system}${place}`,
    deviceName: site === null ? named : `${named}, site ${site}`.slice(0, 200),
  };
}
