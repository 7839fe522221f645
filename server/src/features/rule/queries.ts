import type { Rule, RuleSeverity, RuleVersion } from '@earshot/contract/rule';
import type { Role } from '@earshot/contract/user';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Definition } from './definition.ts';

/** Admins see and change all rules; everybody else their own. */
const ruleRight = (db: Db, { role, userID }: Caller): Fragment =>
  role === 'admin' ? db`true` : db`r.user_id = ${userID}`;

/** What people write, of a rule or of one of its versions. */
export interface RuleContent {
  readonly ruleName: string;
  readonly ruleDescription: string | null;
  readonly isEnabled: boolean;
  readonly severity: RuleSeverity;
  readonly definition: Definition;
}

export type StoredRule = RuleContent &
  Pick<Required<Rule>, 'key' | 'version' | 'creationDate'> & {
    /** Null: it is built in. */
    readonly userID: number | null;
    readonly mutedUntil: string | null;
  };

const contentColumns = (db: Db): Fragment => db`
  r.rule_name as "ruleName", r.rule_description as "ruleDescription", r.is_enabled as "isEnabled", r.severity, r.definition`;

const ruleColumns = (db: Db): Fragment => db`
  r.key, r.user_id as "userID", r.version, ${contentColumns(db)},
  case when r.muted_until > now() then r.muted_until end as "mutedUntil", r.creation_date as "creationDate",
  r.created_by as "createdBy", r.last_modified_date as "lastModifiedDate", r.last_modified_by as "lastModifiedBy"`;

export async function selectRules(
  db: Db,
  caller: Caller,
  count: number,
  before: number | undefined,
): Promise<StoredRule[]> {
  return db<StoredRule[]>`
    select ${ruleColumns(db)} from rules r where ${ruleRight(db, caller)}
      ${before === undefined ? db`` : db`and r.key < ${before}`}
    order by r.key desc limit ${count}`;
}

export async function findRule(db: Db, caller: Caller, ruleID: number): Promise<StoredRule | undefined> {
  const [row] = await db<StoredRule[]>`
    select ${ruleColumns(db)} from rules r where r.key = ${ruleID} and ${ruleRight(db, caller)}`;
  return row;
}

/** Locked, so that two changes of one rule have different versions. */
export async function lockRule(tx: Db, caller: Caller, ruleID: number): Promise<StoredRule | undefined> {
  const [row] = await tx<StoredRule[]>`
    select ${ruleColumns(tx)} from rules r where r.key = ${ruleID} and ${ruleRight(tx, caller)} for update of r`;
  return row;
}

/**
 * The rule as a caller, with the rights of its owner; of one that is built in, of the admin who changed it last. Undefined if there
 * is none.
 */
export async function findRuleOwner(
  db: Db,
  { key, userID }: Pick<StoredRule, 'key' | 'userID'>,
): Promise<Caller | undefined> {
  const [row] = await db<{ userID: number; role: Role }[]>`
    select u.key as "userID", u.role from users u
    where ${userID === null ? db`u.role = 'admin' and u.key = (select r.last_modified_by from rules r where r.key = ${key})` : db`u.key = ${userID}`}`;
  return row && { ...row, credential: 'rule', ruleID: key };
}

/** Locks the person, so that the rules of one person are counted and compared one change after another. */
export async function lockOwner(tx: Db, userID: number): Promise<Caller | undefined> {
  const [row] = await tx<{ role: Role }[]>`select role from users where key = ${userID} for no key update`;
  return row && { userID, role: row.role, credential: 'rule' };
}

export async function findPeople(db: Db, keys: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db<{ key: number }[]>`select key from users where key = any(${keys as number[]}::bigint[])`;
  return new Set(rows.map(({ key }) => key));
}

export async function findExistingTeams(db: Db, keys: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db<{ key: number }[]>`select key from teams where key = any(${keys as number[]}::bigint[])`;
  return new Set(rows.map(({ key }) => key));
}

/** Those of the channels that are the person's. */
export async function findChannelsOf(
  db: Db,
  { userID }: Caller,
  keys: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db<{ key: number }[]>`
    select key from channels where key = any(${keys as number[]}::bigint[]) and user_id = ${userID}`;
  return new Set(rows.map(({ key }) => key));
}

/** What quiets each rule of the person; null: the rules that are built in. */
export async function findQuieting(db: Db, userID: number | null): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await db<{ key: number; quietedBy: number[] }[]>`
    select r.key, r.definition -> 'quietedBy' as "quietedBy" from rules r
    where r.user_id is not distinct from ${userID}::bigint`;
  return new Map(rows.map(({ key, quietedBy }) => [key, quietedBy]));
}

export async function insertRule(
  tx: Db,
  caller: Caller,
  { ruleName, ruleDescription, isEnabled, severity, definition }: RuleContent,
): Promise<StoredRule> {
  const [row] = await tx<StoredRule[]>`
    insert into rules as r (user_id, rule_name, rule_description, is_enabled, severity, definition, created_by)
    values (${caller.userID}, ${ruleName}, ${ruleDescription}, ${isEnabled}, ${severity},
      ${JSON.stringify(definition)}::text::jsonb, ${caller.userID})
    returning ${ruleColumns(tx)}`;
  if (!row) throw new Error('an inserted rule was not returned');
  return row;
}

export async function writeRule(tx: Db, caller: Caller, ruleID: number, content: RuleContent): Promise<StoredRule> {
  const [row] = await tx<StoredRule[]>`
    update rules r set version = version + 1, rule_name = ${content.ruleName},
      rule_description = ${content.ruleDescription}, is_enabled = ${content.isEnabled}, severity = ${content.severity},
      definition = ${JSON.stringify(content.definition)}::text::jsonb, change_date = clock_timestamp(),
      last_modified_date = now(), last_modified_by = ${caller.userID}
    where r.key = ${ruleID} returning ${ruleColumns(tx)}`;
  if (!row) throw new Error('a locked rule was not updated');
  return row;
}

/** Of a rule, the versions that are kept. */
export const keptVersions = 100;

/** Adds the present version of the rule to its history. */
export async function insertVersion(tx: Db, { userID }: Caller, ruleID: number): Promise<void> {
  await tx`
    insert into rule_versions (rule_id, version, rule_name, rule_description, is_enabled, severity, definition, changed_by,
      change_date)
    select r.key, r.version, r.rule_name, r.rule_description, r.is_enabled, r.severity, r.definition, ${userID}, r.change_date
    from rules r where r.key = ${ruleID}`;
  await tx`
    delete from rule_versions v using rules r
    where r.key = ${ruleID} and v.rule_id = r.key and v.version <= r.version - ${keptVersions}`;
}

export async function selectVersions(
  db: Db,
  ruleID: number,
): Promise<(RuleContent & Pick<RuleVersion, 'version' | 'changedBy' | 'changeDate'>)[]> {
  return db`
    select r.version, ${contentColumns(db)}, r.changed_by as "changedBy", r.change_date as "changeDate"
    from rule_versions r where r.rule_id = ${ruleID} order by r.version desc limit ${keptVersions}`;
}

/** Replaces the people and teams whom the rule tells. */
export async function writeRecipients(
  tx: Db,
  ruleID: number,
  people: readonly number[],
  teams: readonly number[],
): Promise<void> {
  await tx`
    delete from rule_recipients where rule_id = ${ruleID} and user_id <> all(${people as number[]}::bigint[])`;
  await tx`
    insert into rule_recipients (rule_id, user_id)
    select ${ruleID}, u.key from users u where u.key = any(${people as number[]}::bigint[]) on conflict do nothing`;
  await tx`delete from rule_teams where rule_id = ${ruleID} and team_id <> all(${teams as number[]}::bigint[])`;
  if (teams.length === 0) return;
  await tx`
    insert into rule_teams (rule_id, team_id)
    select ${ruleID}, t.key from teams t where t.key = any(${teams as number[]}::bigint[]) on conflict do nothing`;
}

export async function muteUntil(tx: Db, caller: Caller, ruleID: number, until: Date | null): Promise<StoredRule> {
  const [row] = await tx<StoredRule[]>`
    update rules r set muted_until = ${until}, last_modified_date = now(), last_modified_by = ${caller.userID}
    where r.key = ${ruleID} returning ${ruleColumns(tx)}`;
  if (!row) throw new Error('a locked rule was not updated');
  return row;
}

/** Removes the rule, also from what quiets other rules. */
export async function removeRule(tx: Db, ruleID: number, ownerID: number): Promise<void> {
  await tx`
    update rules r set definition = jsonb_set(r.definition, '{quietedBy}', (
      select coalesce(jsonb_agg(q.key), '[]') from jsonb_array_elements(r.definition -> 'quietedBy') q (key)
      where q.key <> to_jsonb(${ruleID}::bigint)))
    where r.user_id = ${ownerID} and r.definition -> 'quietedBy' @> to_jsonb(${ruleID}::bigint)`;
  await tx`delete from rules where key = ${ruleID}`;
}
