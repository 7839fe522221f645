import type { RuleMatch, RuleMatchFilter, RuleMatchPage } from '@earshot/contract/rule-match';
import { defaultCount } from '@earshot/contract/values';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { makePage, readCursor } from '../../../platform/page-cursor.ts';
import { readRange } from '../../audio-clip/public.ts';
import type { ShownText } from '../trial/show.ts';
import { showTexts } from '../trial/show.ts';
import type { FoundRuleMatch } from './queries.ts';
import { selectMatches } from './queries.ts';

export async function findMatchPage(db: Db, caller: Caller, given: RuleMatchFilter): Promise<RuleMatchPage> {
  const count = given.count || defaultCount;
  const cursor = given.cursor ? readCursor(given.cursor) : undefined;
  const { fromMs, toMs } = readRange(given);
  const found = await selectMatches(db, caller, {
    ruleID: given.ruleID || undefined,
    alertID: given.alertID || undefined,
    deviceID: given.deviceID || undefined,
    fromMs,
    toMs,
    state: given.state,
    after: cursor,
    ascending: cursor?.isBack ?? false,
    count: count + 1,
  });
  const shown = found.slice(0, count);
  const end = found.length > count ? shown.at(-1) : undefined;
  const { rows, ...cursors } = makePage({ cursor, ascending: false, rows: shown, end });
  return { results: await withTexts(db, caller, rows), ...cursors };
}

/** What is said now, read once for all matches of a rule. */
async function withTexts(db: Db, caller: Caller, matches: readonly FoundRuleMatch[]): Promise<RuleMatch[]> {
  const texts = new Map<string, ShownText>();
  for (const ruleID of new Set(matches.map((match) => match.ruleID))) {
    const own = matches.filter((match) => match.ruleID === ruleID);
    const [first] = own;
    if (!first) continue;
    const read = await showTexts(
      db,
      caller,
      first.when,
      own.flatMap(({ audioClipID }) => audioClipID ?? []),
    );
    for (const [key, text] of read) texts.set(`${ruleID} ${key}`, text);
  }
  return matches.map(({ time, endMs, when: _when, ...match }) => ({
    ...match,
    startTime: Math.floor(time / 1_000),
    startTimeMs: time % 1_000,
    ...(endMs === null ? {} : { endTime: Math.floor(endMs / 1_000), endTimeMs: endMs % 1_000 }),
    ...texts.get(`${match.ruleID} ${match.audioClipID}`),
  }));
}
