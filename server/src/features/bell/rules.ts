import type { Bell, BellEntry, BellManners, BellMannersUpdate } from '@earshot/contract/bell';
import { defaultCount } from '@earshot/contract/values';
import { ruleSeverities } from '@earshot/contract/rule';
import { invalid, invalidField } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { makePage, readCursor } from '../../platform/page-cursor.ts';
import type { ShownText } from '../rule/public.ts';
import { settleActiveTime, showTexts } from '../rule/public.ts';
import { findManners, findOwnChannels, putChosenChannels, putManners } from './manners-queries.ts';
import type { FoundEntry } from './queries.ts';
import { countUnread, selectEntries } from './queries.ts';

export async function readEntries(
  db: Db,
  caller: Caller,
  given: { readonly count?: number; readonly cursor?: string },
): Promise<Bell> {
  const count = given.count || defaultCount;
  const cursor = given.cursor ? readCursor(given.cursor) : undefined;
  const found = await selectEntries(db, caller, {
    after: cursor?.key,
    ascending: cursor?.isBack ?? false,
    count: count + 1,
  });
  const placed = found.map((entry) => ({ ...entry, time: 0 }));
  const page = placed.slice(0, count);
  const end = placed.length > count ? page.at(-1) : undefined;
  const { rows, ...cursors } = makePage({ cursor, ascending: false, rows: page, end });
  return { unreadCount: await countUnread(db, caller), results: await withTexts(db, caller, rows), ...cursors };
}

/** What is said now, read once for all entries of a rule. */
async function withTexts(db: Db, caller: Caller, entries: readonly FoundEntry[]): Promise<BellEntry[]> {
  const texts = new Map<string, ShownText>();
  for (const ruleID of new Set(entries.flatMap((entry) => entry.ruleID ?? []))) {
    const own = entries.filter((entry) => entry.ruleID === ruleID);
    const { when } = own[0] ?? {};
    const clips = own.flatMap(({ audioClipID }) => audioClipID ?? []);
    if (!when) continue;
    for (const [key, text] of await showTexts(db, caller, when, clips)) texts.set(`${ruleID} ${key}`, text);
  }
  return entries.map(({ startMs, when: _when, ...entry }) => ({
    ...entry,
    ...(startMs === null ? {} : { startTime: Math.floor(startMs / 1_000), startTimeMs: startMs % 1_000 }),
    text: texts.get(`${entry.ruleID} ${entry.audioClipID}`)?.text,
  })) as BellEntry[];
}

export const readManners = (db: Db, { userID }: Caller): Promise<BellManners> => findManners(db, userID);

export async function changeManners(
  db: Pool,
  { userID }: Caller,
  { quietTimes, refusesOthers, digest, severityChannels = {} }: BellMannersUpdate,
): Promise<BellManners> {
  const nameless = quietTimes?.findIndex(({ timeZone }) => timeZone === '') ?? -1;
  if (nameless >= 0) throw invalidField(`quietTimes[${nameless}].timeZone`, 'must be a time zone, or be left out');
  if (digest?.timeZone === '') throw invalidField('digest.timeZone', 'must be a time zone, or be left out');
  return inTransaction(db, async (tx) => {
    await putManners(tx, userID, {
      ...(quietTimes === undefined ? {} : { quietTimes: quietTimes.map(settleActiveTime) }),
      ...(refusesOthers === undefined ? {} : { refusesOthers }),
      ...(digest === undefined ? {} : { digest }),
    });
    await chooseChannels(tx, userID, severityChannels);
    return findManners(tx, userID);
  });
}

/** Of each severity that is given; the others keep theirs. */
async function chooseChannels(
  tx: Db,
  userID: number,
  given: NonNullable<BellMannersUpdate['severityChannels']>,
): Promise<void> {
  const severities = ruleSeverities.filter((severity) => given[severity] !== undefined);
  if (severities.length === 0) return;
  const chosen = severities.flatMap((severity) =>
    (given[severity] ?? []).map((channelID, at) => ({ severity, channelID, at })),
  );
  const own = await findOwnChannels(tx, userID, [...new Set(chosen.map(({ channelID }) => channelID))]);
  const errors = chosen
    .filter(({ channelID }) => !own.has(channelID))
    .map(({ severity, channelID, at }) => ({
      path: `severityChannels.${severity}[${at}]`,
      message: `names channel ${channelID}, which is not yours: name channels of yours`,
    }));
  if (errors.length > 0) throw invalid(errors);
  await putChosenChannels(tx, userID, severities, chosen);
}
