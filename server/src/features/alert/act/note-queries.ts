import type { EscalationStep } from '@earshot/contract/rule-act';
import { deviceReaders } from '../../../access.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { AuditActor } from '../../audit/public.ts';
import { recordActs } from '../../audit/public.ts';

export interface NewAlertAct {
  readonly alertID: number;
  /** Of the action in the rule, from 0. */
  readonly actionNumber: number;
  readonly action: 'notify' | 'runPreset' | 'requestUpload';
  readonly userID?: number | undefined;
  readonly teamID?: number | undefined;
  readonly channelID?: number | undefined;
  /** The step in which the person was told; undefined: at first. */
  readonly escalation?: EscalationStep | undefined;
  readonly deviceID?: number | undefined;
  readonly eventPresetID?: number | undefined;
  readonly eventID?: number | undefined;
  readonly refusal?: string | undefined;
}

/** Notes what was done for alerts, also in the audit trail if a device got work. */
export async function noteActs(tx: Db, owner: AuditActor, acts: readonly NewAlertAct[]): Promise<void> {
  if (acts.length === 0) return;
  const column = (name: keyof NewAlertAct) => acts.map((act) => act[name] ?? null) as never;
  await tx`
    with added as (
      insert into alert_acts (alert_id, action_number, action, user_id, team_id, channel_id, escalation, device_id,
        event_preset_id, event_id, refusal)
      select n.alert_id, n.action_number, n.action, u.key, t.key, c.key, n.escalation, d.key, n.event_preset_id, n.event_id,
        n.refusal
      from unnest(${column('alertID')}::bigint[], ${column('actionNumber')}::smallint[], ${column('action')}::text[],
        ${column('userID')}::bigint[], ${column('teamID')}::bigint[], ${column('channelID')}::bigint[],
        ${column('escalation')}::text[], ${column('deviceID')}::bigint[], ${column('eventPresetID')}::bigint[],
        ${column('eventID')}::bigint[], ${column('refusal')}::text[]) with ordinality as n (
        alert_id, action_number, action, user_id, team_id, channel_id, escalation, device_id, event_preset_id, event_id, refusal,
        position)
      left join devices d on d.key = n.device_id left join users u on u.key = n.user_id
      left join teams t on t.key = n.team_id left join channels c on c.key = n.channel_id
      order by n.position returning event_id as key, device_id)
    ${recordActs(tx, owner, 'rule-ordered', tx`(select * from added where key is not null order by key)`)}`;
}

/** The people among these who have not been disabled and who may read the device. */
export async function findTold(tx: Db, people: readonly number[], deviceID: number): Promise<ReadonlySet<number>> {
  const rows = await tx<{ key: number }[]>`
    select u.key from devices d join users u on u.key = any(${people as number[]}::bigint[]) and not u.disabled
      and (u.role = 'admin' or u.key = any(${deviceReaders(tx)}))
    where d.key = ${deviceID}`;
  return new Set(rows.map(({ key }) => key));
}

/** Who is told of what a rule may not do. */
export async function findOwnerAndAdmins(tx: Db, ownerID: number): Promise<number[]> {
  const rows = await tx<{ key: number }[]>`
    select key from users where (key = ${ownerID} or role = 'admin') and not disabled order by key`;
  return rows.map(({ key }) => key);
}

/** Notes the clips of the device whose upload a rule asked for. */
export async function noteUploads(tx: Db, ruleID: number, deviceID: number, clips: readonly number[]): Promise<void> {
  if (clips.length === 0) return;
  await tx`
    insert into rule_uploads (audio_clip_id, rule_id)
    select c.key, ${ruleID} from audio_clips c
    where c.key = any(${clips as number[]}::bigint[]) and c.device_id = ${deviceID}
    order by c.key on conflict do nothing`;
}
