import type { TestServer } from '@earshot/server/testing/server';
import { waitMs } from '@earshot/server/testing/limits';
import { setTimeout as sleep } from 'node:timers/promises';
import { refusedFor } from './refused-for.ts';
import type { PlainRule } from './plain.ts';
import { plainMatches } from './plain.ts';
import type { World } from './world.ts';

/** What was compared. */
export interface Compared {
  clips: number;
  matchingClips: number;
  rules: number;
  matches: number;
  /** Pairs of a rule and a clip that the engine had to judge. */
  judged: number;
  refusedTrials: number;
}

export const nothingCompared = (): Compared => ({
  clips: 0,
  matchingClips: 0,
  rules: 0,
  matches: 0,
  judged: 0,
  refusedTrials: 0,
});

/** Until nothing waits to be judged. */
export async function waitUntilJudged({ db }: Pick<TestServer, 'db'>): Promise<void> {
  const deadline = performance.now() + waitMs;
  const isWaiting = async () =>
    (await db`(select 1 from clips_to_judge limit 1) union all (select 1 from rule_sweeps limit 1)`).length > 0;
  while (await isWaiting()) {
    if (performance.now() > deadline) throw new Error('The rules did not judge all changes.');
    await sleep(20);
  }
}

/** Compares the three sets of (rule, clip), and returns each difference as a sentence. */
export async function compareAll(world: World, sum: Compared): Promise<string[]> {
  const differences: string[] = [];
  const matching = new Set<number>();
  for (const rule of world.rules.values()) {
    if (!rule.isEnabled) continue;
    const plain = plainMatches(world, rule);
    const engine = await engineMatches(world, rule);
    const trial = await trialMatches(world, rule);
    const report = (what: string, keys: readonly number[]) => {
      if (keys.length > 0) differences.push(describe(world, rule, what, keys));
    };
    if (trial) {
      report(
        'not found by the trial',
        [...plain].filter((key) => !trial.has(key)),
      );
      report(
        'found by the trial alone',
        [...trial].filter((key) => !plain.has(key)),
      );
    } else sum.refusedTrials += 1;
    // A match of a former version of the rule stays until its clip changes.
    const stale = [...engine].filter((key) => !plain.has(key) && isNewer(rule, world.clips.get(key)));
    report('found by the engine alone', stale);
    const judged = [...world.clips.values()].filter((clip) => mustBeJudged(rule, clip));
    report(
      'not found by the engine',
      judged.map(({ key }) => key).filter((key) => plain.has(key) && !engine.has(key)),
    );
    report('stored although the owner could not read them', await unreadableMatches(world, rule));
    for (const key of plain) matching.add(key);
    sum.rules += 1;
    sum.matches += plain.size;
    sum.judged += judged.length;
  }
  sum.clips += world.clips.size;
  sum.matchingClips += matching.size;
  return differences;
}

/** It was stored or changed after the last change of the rule, and after its device came into `where`. */
function mustBeJudged(rule: PlainRule, clip: { readonly deviceID: number; readonly changedAt: number }): boolean {
  const since = rule.since.get(clip.deviceID);
  return since !== undefined && clip.changedAt > rule.changedAt && clip.changedAt >= since.step;
}

/** Whether the clip is gone, or was changed after the last change of the rule. */
const isNewer = (rule: PlainRule, clip: { readonly changedAt: number } | undefined): boolean =>
  !clip || clip.changedAt > rule.changedAt;

async function engineMatches(world: World, { key: ruleID, ownerID }: PlainRule): Promise<Set<number>> {
  const found = new Set<number>();
  let cursor: string | undefined;
  do {
    const body = { ruleID, state: 'current' as const, count: 1_000, ...(cursor === undefined ? {} : { cursor }) };
    const page = await world.clientOf(ownerID).listRuleMatches({ body });
    for (const { audioClipID = 0 } of page.results) found.add(audioClipID);
    cursor = page.next;
  } while (cursor !== undefined);
  return found;
}

/** Found by this version of the rule, of clips that came when their device was not in `where`: nobody may see these now. */
async function unreadableMatches({ clips, server }: World, rule: PlainRule): Promise<number[]> {
  const rows = await server.db<{ key: number }[]>`
    select audio_clip_id as key from rule_matches
    where rule_id = ${rule.key} and rule_version = ${rule.version} and not is_withdrawn`;
  return rows
    .map(({ key }) => key)
    .filter((key) => {
      const clip = clips.get(key);
      if (!clip) return true;
      const lastIn = [clip.deviceID, ...clip.formerDevices].map((device) => rule.lastIn.get(device) ?? -1);
      return Math.max(...lastIn) < clip.addedAt;
    });
}

/** All times of the data. */
const range = { startEpoch: 1_700_000_000, endEpoch: 1_900_000_000 };

/** Undefined if the owner may not see a record that the rule names, because then a trial is refused. */
async function trialMatches(world: World, { rule, ownerID }: PlainRule): Promise<Set<number> | undefined> {
  const found = new Set<number>();
  const client = world.clientOf(ownerID);
  for (let offset = 0; ; offset += 100) {
    const page = await refusedFor(/may not see/, () =>
      client.tryRule({ body: { rule, ...range, offset, limit: 100 } }),
    );
    if (!page) return undefined;
    for (const { audioClipID = 0 } of page.matches) found.add(audioClipID);
    if (offset + 100 >= page.total) {
      if (found.size !== page.total) throw new Error(`A trial counts ${page.total} and shows ${found.size}.`);
      return found;
    }
  }
}

function describe(
  world: World,
  { key, rule, changedAt, since }: PlainRule,
  what: string,
  keys: readonly number[],
): string {
  const [first] = keys;
  const clip = world.clips.get(first!);
  const device = clip && world.devices.get(clip.deviceID);
  const about = { rule: { key, ...rule, changedAt }, clip, device, deviceSince: clip && since.get(clip.deviceID) };
  return `${keys.length} clips ${what}: ${JSON.stringify(about)}`;
}
