import { parseDateTime } from '@earshot/contract/date-time';
import { latestEpoch } from '@earshot/contract/values';
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
  serialPart,
} from '../../platform/uploads/read-values.ts';
import type { UploadedCall } from '../recorder-upload/public.ts';

type Fields = ReadonlyMap<string, string>;

/** What rdio-scanner's uploaders say about a call; undefined values are missing. */
export type RdioCall = Omit<UploadedCall, 'recorder'> & {
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
  const groups = readJson(fields.get('talkgroupGroups'));
  const group = Array.isArray(groups) && typeof groups[0] === 'string' ? groups[0] : undefined;
  const source = readNumber(first('source', 'unit'));
  const sources = readNumbers(readJson(first('sources', 'units')), 'src');
  return {
    system: readNumber(fields.get('system')),
    systemLabel: readShortText(fields.get('systemLabel')),
    site: readShortText(fields.get('site')),
    startMs: readStart(fields.get('dateTime'), fields.get('timestamp')),
    talkgroup: readTalkgroup(fields.get('talkgroup')),
    label: readShortText(fields.get('talkgroupLabel')),
    name: readLongText(fields.get('talkgroupName')),
    group: readShortText(fields.get('talkgroupGroup') ?? group),
    tag: readShortText(fields.get('talkgroupTag')),
    units: [...new Set([...(source > 0 ? [source] : []), ...sources])],
    frequency: readNumber(fields.get('frequency')) || null,
    isEmergency: isTrue(fields.get('emergency')),
    patches: readTalkgroups(readJson(first('patches', 'patched_talkgroups'))),
  };
}

/** Milliseconds since 1970; 0 if there is no valid time. */
function readStart(dateTime: string | undefined, timestamp: string | undefined): number {
  const given = dateTime?.trim() ?? '';
  if (/^\d+$/.test(given)) return readEpochMs(given);
  const ms = parseDateTime(given)?.getTime() ?? readNumber(timestamp);
  return ms > 0 && ms <= latestEpoch * 1000 ? ms : 0;
}

/** Each system and site of a key is a device. The platform makes its serial, so two owners never share one. */
export function recorderOf(
  { system, systemLabel, site }: Pick<RdioCall, 'system' | 'systemLabel' | 'site'>,
  uploadKeyID: number,
): UploadedCall['recorder'] {
  const place = site === null ? '' : `-${serialPart(site)}`;
  const named = systemLabel ?? `System ${system}`;
  return {
    source: JSON.stringify(['rdio', system, site]),
    serial: `rdio-${uploadKeyID}-${system}${place}`,
    deviceName: site === null ? named : `${named}, site ${site}`.slice(0, 200),
  };
}
