import type { Db } from '../../../platform/database/connect.ts';
import { requireValue } from '../../../platform/database/stored.ts';
import type { EngineRule, JudgedMatches, StoredMatch } from '../../rule/public.ts';
import { isSilence } from '../../rule/public.ts';
import { settleTold } from '../outlets.ts';
import type { OpenAlert } from './place.ts';
import { placeMatch } from './place.ts';
import {
  acknowledgeKnown,
  findAlertsOfMatches,
  findMemberships,
  findNearMatches,
  insertAlerts,
  putMemberships,
  settleAlerts,
} from './queries.ts';

/*
 * Puts matches into alerts: of one rule and device, or of one rule that counts across devices or finds devices that fell silent.
 *
 *   new, there again     joins the earliest alert that has a match near it, or begins one. One that is there again goes back
 *                        to its alert, unless that was closed meanwhile
 *   at another place     stays in its alert if it is the only match of it; else as a new one, which may be the same alert
 *   does not hold        its alert gets shorter, and is closed if nothing else is in it
 *   has ended            its alert is closed if all of its states have ended
 *
 * Few statements for any number of matches: what is near is read once, and matches are placed in memory.
 */

/** A match with the alert that it has joined. */
export interface GroupedMatch extends StoredMatch {
  readonly alertID: number;
}

interface Group {
  readonly rule: EngineRule;
  /** Undefined: across devices. */
  readonly deviceID: number | undefined;
  readonly groupMs: number;
  readonly alerts: OpenAlert[];
}

/** Returns the matches that have joined an alert, with their alerts. */
export async function groupMatches(
  tx: Db,
  { rules, written, withdrawn, ended }: JudgedMatches,
): Promise<GroupedMatch[]> {
  const shortened = await findAlertsOfMatches(tx, [...withdrawn, ...ended, ...written.map(({ key }) => key)]);
  const joined = await joinAlerts(tx, rules, written);
  await settleTold(tx, await settleAlerts(tx, [...new Set([...shortened, ...joined.map(({ alertID }) => alertID)])]));
  return joined;
}

async function joinAlerts(
  tx: Db,
  rules: ReadonlyMap<number, EngineRule>,
  written: readonly StoredMatch[],
): Promise<GroupedMatch[]> {
  if (written.length === 0) return [];
  const keys = written.map(({ key }) => key);
  const memberships = new Map((await findMemberships(tx, keys)).map((each) => [each.matchID, each]));
  const groups = await openGroups(tx, rules, written, keys);
  const placed: { readonly match: StoredMatch; readonly alert: OpenAlert; readonly group: Group }[] = [];
  const carried = new Map<number, OpenAlert>();
  for (const match of written.toSorted((one, other) => one.startMs - other.startMs || one.key - other.key)) {
    const group = groups.get(nameOfGroup(rules, match));
    if (!group) continue;
    const before = memberships.get(match.key);
    // The first match of an alert without others takes the alert along to its new place.
    if (before && !before.isClosed && !before.hasOthers && !carried.has(before.alertID)) {
      const alert = openAt(before.alertID, match.startMs);
      carried.set(before.alertID, alert);
      group.alerts.push(alert);
      placed.push({ match, alert, group });
    } else placed.push({ match, alert: placeMatch(group.alerts, match.startMs, group.groupMs), group });
  }
  const begun = new Map<OpenAlert, (typeof placed)[number]>();
  for (const each of placed) if (each.alert.key === undefined && !begun.has(each.alert)) begun.set(each.alert, each);
  const made = await insertAlerts(
    tx,
    Array.from(begun.values(), ({ group, match }) => ({
      ruleID: group.rule.key,
      deviceID: group.deviceID ?? null,
      startMs: match.startMs,
    })),
  );
  const keyOf = new Map(Array.from(begun.keys(), (alert, at) => [alert, made[at]]));
  const grouped = placed.map(({ match, alert }) => ({
    ...match,
    alertID: requireValue(alert.key ?? keyOf.get(alert), 'the key of a new alert'),
  }));
  await putMemberships(
    tx,
    grouped.map(({ key, alertID }) => ({ matchID: key, alertID })),
  );
  if ([...begun.values()].some(({ group }) => group.rule.userID === null)) await acknowledgeKnown(tx, made);
  return grouped;
}

const openAt = (key: number | undefined, startMs: number): OpenAlert => ({
  key,
  firstMs: startMs,
  lastMs: startMs,
  startsMs: [startMs],
});

const isAcross = (rule: EngineRule | undefined): boolean =>
  rule !== undefined && ((rule.definition.atLeast?.acrossDevices ?? false) || isSilence(rule.definition.when));

/** Devices that fall silent within this time of each other are one alert, whatever a rule says. */
const leastSilenceMs = 300_000;

const groupMsOf = ({ definition: { groupSeconds, when } }: EngineRule): number =>
  Math.max(groupSeconds * 1_000, isSilence(when) ? leastSilenceMs : 0);

const nameOfGroup = (rules: ReadonlyMap<number, EngineRule>, { ruleID, deviceID }: StoredMatch): string =>
  `${ruleID} ${isAcross(rules.get(ruleID)) ? '' : deviceID}`;

async function openGroups(
  tx: Db,
  rules: ReadonlyMap<number, EngineRule>,
  matches: readonly StoredMatch[],
  keys: readonly number[],
): Promise<ReadonlyMap<string, Group>> {
  const groups = new Map<string, Group>();
  for (const match of matches) {
    const rule = rules.get(match.ruleID);
    const name = nameOfGroup(rules, match);
    if (!rule || groups.has(name)) continue;
    const deviceID = isAcross(rule) ? undefined : match.deviceID;
    groups.set(name, { rule, deviceID, groupMs: groupMsOf(rule), alerts: [] });
  }
  const places = matches.flatMap((match) => {
    const group = groups.get(nameOfGroup(rules, match));
    if (!group) return [];
    return [{ ruleID: match.ruleID, deviceID: group.deviceID ?? 0, startMs: match.startMs, groupMs: group.groupMs }];
  });
  for (const near of places.length > 0 ? await findNearMatches(tx, places, keys) : []) {
    const group = groups.get(`${near.ruleID} ${near.deviceID === 0 ? '' : near.deviceID}`);
    const known = group?.alerts.find(({ key }) => key === near.alertID);
    if (known) known.startsMs.push(near.startMs);
    else
      group?.alerts.push({
        key: near.alertID,
        firstMs: near.firstMs,
        lastMs: near.lastMs,
        startsMs: [near.startMs],
      });
  }
  return groups;
}
