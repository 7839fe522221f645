import type { EventPreset } from '@earshot/contract/event-preset';
import type { RuleAction } from '@earshot/contract/rule-parts';
import { freeEventTypes } from '@earshot/contract/rule-allowance';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';

export async function findEventTypeName(db: Db, eventTypeID: number): Promise<string | undefined> {
  const [row] = await db<{ name: string }[]>`
    select event_type_name as name from event_types where key = ${eventTypeID}`;
  return row?.name;
}

/** The content that an admin allowed for this version of the rule. */
export async function findAllowedHash(
  db: Db,
  ruleID: number,
  actionNumber: number,
  version: number,
): Promise<string | undefined> {
  const [row] = await db<{ hash: string }[]>`
    select content_hash as hash from rule_allowances
    where rule_id = ${ruleID} and action_number = ${actionNumber} and version = ${version}`;
  return row?.hash;
}

/** An action that runs a preset which an admin must allow. */
export interface LoudAction {
  readonly ruleID: number;
  readonly ruleName: string;
  readonly userID: number;
  readonly version: number;
  readonly position: number;
  readonly action: RuleAction;
  readonly preset: EventPreset;
  readonly eventPresetName: string | null;
  readonly eventType: string;
  readonly allowedVersion: number | null;
  readonly allowedHash: string | null;
  readonly allowedBy: number | null;
  readonly allowedDate: string | null;
}

export async function findLoudActions(db: Db, rights: Fragment, most: number): Promise<LoudAction[]> {
  return db<LoudAction[]>`
    select r.key as "ruleID", r.rule_name as "ruleName", r.user_id as "userID", r.version, x.position - 1 as position,
      x.action, jsonb_build_object('key', p.key, 'eventTypeID', p.event_type_id, 'eventParameters', p.event_parameters,
        'deviceID', p.device_id, 'deviceGroupID', p.device_group_id) as preset,
      p.event_preset_name as "eventPresetName", t.event_type_name as "eventType", w.version as "allowedVersion",
      w.content_hash as "allowedHash", w.allowed_by as "allowedBy", w.allowed_date as "allowedDate"
    from rules r cross join lateral jsonb_array_elements(r.definition -> 'actions') with ordinality x (action, position)
    join event_presets p on p.key = (x.action ->> 'eventPresetID')::bigint
    join event_types t on t.key = p.event_type_id and t.event_type_name <> all(${freeEventTypes as unknown as string[]}::text[])
    left join rule_allowances w on w.rule_id = r.key and w.action_number = x.position - 1
    where ${rights} and x.action ->> 'action' = 'runPreset' order by r.key desc, x.position limit ${most}`;
}

export const ofCaller = (db: Db, { role, userID }: Caller): Fragment =>
  role === 'admin' ? db`true` : db`r.user_id = ${userID}`;

export const ofRule = (db: Db, ruleID: number): Fragment => db`r.key = ${ruleID}`;

export async function putAllowance(
  tx: Db,
  caller: Caller,
  { ruleID, position, version }: Pick<LoudAction, 'ruleID' | 'position' | 'version'>,
  contentHash: string,
): Promise<void> {
  await tx`
    insert into rule_allowances (rule_id, action_number, version, content_hash, allowed_by)
    values (${ruleID}, ${position}, ${version}, ${contentHash}, ${caller.userID})
    on conflict (rule_id, action_number) do update set version = excluded.version, content_hash = excluded.content_hash,
      allowed_by = excluded.allowed_by, allowed_date = now()`;
}

/** Of the action, or of all actions. */
export async function removeAllowance(tx: Db, ruleID: number, position: number | undefined): Promise<void> {
  await tx`
    delete from rule_allowances
    where rule_id = ${ruleID} and action_number = coalesce(${position ?? null}::integer, action_number)`;
}
