import type { NewRule } from '@earshot/contract/rule';
import { expect } from 'vitest';
import { sharedTestServer } from '../../../testing/shared-server.ts';
import { createScene } from '../../rule/tests/said.ts';

export const minuteMs = 60_000;
export const hourMs = 3_600_000;

export const fire = { when: { words: 'fire' } };
export const notify = [{ action: 'notify' as const }];

/** A person with a device, rules and what becomes of them. */
export async function createAlertScene() {
  const server = await sharedTestServer();
  const scene = await createScene(server);
  const { client } = scene;
  const addRule = async (rule: Omit<NewRule, 'ruleName'>): Promise<number> =>
    (await client.createRule({ body: { ruleName: 'Fire', ...rule } })).key ?? 0;
  const allJudged = () =>
    expect
      .poll(async () => (await server.db`select 1 from clips_to_judge union all select 1 from rule_sweeps`).length)
      .toBe(0);
  /** The alerts of the rule, the oldest sound first, once nothing waits to be judged. */
  const alertsOf = async (ruleID: number) => {
    await allJudged();
    return (await client.listRuleAlerts({ body: { ruleID } })).results.toReversed();
  };
  const matchesOf = async (alertID: number) => {
    const { results } = await client.listRuleMatches({ body: { alertID } });
    return results.map(({ audioClipID = 0 }) => audioClipID).toReversed();
  };
  const bell = async () => {
    await allJudged();
    return client.readBell();
  };
  const correct = (captionID: number, transcript: string) =>
    client.correctCaption({ params: { captionID }, body: { transcript } });
  return { server, ...scene, now: Date.now(), addRule, allJudged, alertsOf, matchesOf, bell, correct };
}
