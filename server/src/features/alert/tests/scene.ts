import type { NewRule } from '@earshot/contract/rule';
import { expect } from 'vitest';
import type { SharedServer } from '../../../testing/server.ts';
import { sharedTestServer } from '../../../testing/shared-server.ts';
import { createScene } from '../../rule/tests/said.ts';

export const minuteMs = 60_000;
export const hourMs = 3_600_000;

export const fire = { when: { words: 'fire' } };
export const notify = [{ action: 'notify' as const }];

/** A person with a device, rules and what becomes of them. */
export async function createAlertScene(own?: SharedServer) {
  const server = own ?? (await sharedTestServer());
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
  /** Lets another person read, or also write, a device. */
  const lend = async (deviceID: number, userID: number, memberAccess: 'read' | 'write' = 'read') => {
    const { key: collectionItemID = 0 } = await client.createCollection({
      body: { collectionName: 'Lent', memberAccess },
    });
    for (const [itemType, itemID] of [
      ['device', deviceID],
      ['user', userID],
    ] as const)
      await client.addCollectionItem({ params: { collectionItemID }, body: { itemType, itemID } });
    return collectionItemID;
  };
  /** What was done once for the alerts of the rule. */
  const actsOf = async (ruleID: number) => {
    const alerts = await alertsOf(ruleID);
    const details = await Promise.all(alerts.map(({ key = 0 }) => client.getRuleAlert({ params: { alertID: key } })));
    return details.flatMap(({ acts }) => acts);
  };
  /** The work of the device, without that of the platform. */
  const eventsOf = async (deviceID: number) => {
    const events = await client.listEvents({ body: { deviceID } });
    return events.filter(({ serverEvent }) => serverEvent === 0).toReversed();
  };
  return {
    server,
    lend,
    actsOf,
    eventsOf,
    ...scene,
    now: Date.now(),
    addRule,
    allJudged,
    alertsOf,
    matchesOf,
    bell,
    correct,
  };
}
