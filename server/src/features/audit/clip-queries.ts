import type { AuditEntry } from '@earshot/contract/audit';
import type { AuditAction } from '@earshot/contract/audit-actions';
import { auditActionNames, auditActions } from '@earshot/contract/audit-actions';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { entryColumns } from './queries.ts';

export interface EntriesOfClip {
  /** Those that the caller may read, the oldest first. */
  readonly entries: readonly (AuditEntry & { readonly key: number })[];
  /** The number of entries of a time when the device had another owner. */
  readonly hiddenCount: number;
}

/** A caption has the key of its clip. */
const actionsOfClip: readonly AuditAction[] = auditActionNames.filter((name) => {
  const { record } = auditActions[name];
  return record === 'audioclip' || record === 'caption';
});

interface NamedClip {
  readonly clipID: number;
  readonly deviceID: number;
  readonly fileID: number | null;
}

/** What was done with a clip, also while it was a clip of a device that was merged into its present one. */
export async function findEntriesOfClip(db: Db, caller: Caller, clip: NamedClip, most: number): Promise<EntriesOfClip> {
  const isReadable =
    caller.role === 'admin' ? db`true` : db`(e.owner_id = ${caller.userID} or e.user_id = ${caller.userID})`;
  const rows = await db<(AuditEntry & { key: number; isReadable: boolean })[]>`
    with recursive places (device_id) as (
      select ${clip.deviceID}::bigint
      union
      select m.record_key from places p join audit_entries m on m.device_id = p.device_id and m.action = 'device-merged'),
    ${copies(db, clip)}
    select ${entryColumns(db)}, ${isReadable} as "isReadable"
    from audit_entries e where e.device_id in (select device_id from places) and (
      (e.action = any(${actionsOfClip as string[]}::text[]) and e.record_key = ${clip.clipID})
      or e.action = 'device-merged'
      or (e.action = 'sound-exported' and e.record_key in (select event_id from exports))
      or (e.action = 'file-downloaded' and e.record_key in (select file_id from sounds))
      or (e.action = 'alert-reported' and e.record_key in (select alert_id from reports)))
    order by e.audit_date, e.key limit ${most}`;
  return {
    entries: rows.filter((row) => row.isReadable),
    hiddenCount: rows.filter((row) => !row.isReadable).length,
  };
}

/**
 * What else has the sound of the clip: exports that name it in the parameters of their events, which are kept for a time;
 * the files of its present and former sound and of the results of these exports; alerts with a match of it.
 */
const copies = (db: Db, { clipID, fileID }: NamedClip): Fragment => db`
  exports (event_id, file_id) as (
    select v.key, substring(v.result from '"fileID":([0-9]{1,15})[,}]')::bigint
    from audit_entries x join events v on v.key = x.record_key
    where x.action = 'sound-exported' and x.device_id in (select device_id from places)
      and v.event_parameters ~ ${`"audioClips":\\[([0-9]+,)*${clipID}[],]`}),
  sounds (file_id) as (
    select ${fileID}::bigint
    union select v.file_id from clip_versions v where v.audio_clip_id = ${clipID}
    union select x.file_id from exports x),
  reports (alert_id) as (
    select am.alert_id from rule_matches m join alert_matches am on am.match_id = m.key where m.audio_clip_id = ${clipID})`;
