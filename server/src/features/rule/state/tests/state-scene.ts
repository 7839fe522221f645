import { expect } from 'vitest';
import type { TestServer } from '../../../../testing/server.ts';
import type { Person } from '../../../../testing/person.ts';
import { addDevice } from '../../../event/tests/fleet.ts';

/** A platform that has run for days, and devices that have contact or lose it at a time in the past. */
export async function createStateScene(server: TestServer, person: Person) {
  const { db } = server;
  const { client } = await person.withKey();
  const runs = async (...spans: readonly (readonly [number, number])[]): Promise<void> => {
    await db`delete from platform_times`;
    for (const [from, to] of spans)
      await db`
        insert into platform_times (since, until)
        values (now() - make_interval(mins => ${from}), now() - make_interval(mins => ${to}))`;
  };
  await runs([14_400, 0]);
  const judged = () =>
    expect.poll(async () => (await db`select 1 from states_to_judge where due_date <= now()`).length).toBe(0);
  return {
    client,
    db,
    runs,
    judged,
    device: async () => (await addDevice(client)).deviceID,
    /** It had contact until so many minutes ago. */
    lose: (deviceID: number, minutes: number) =>
      db.begin(async (tx) => {
        await tx`delete from online_devices where device_id = ${deviceID}`;
        await tx`
          insert into online_times (device_id, since, until)
          values (${deviceID}, now() - make_interval(mins => ${minutes + 60}), now() - make_interval(mins => ${minutes}))`;
        await tx`insert into online_devices (device_id, since, until) values (${deviceID}, now(), now() + interval '1 day')`;
        await tx`delete from online_devices where device_id = ${deviceID}`;
      }),
    /** It has contact, and goes on to have it. */
    connect: (deviceID: number) =>
      db`insert into online_devices (device_id, since, until) values (${deviceID}, now(), now() + interval '1 day')`,
    report: (deviceID: number, minutes: number, battery: number) => db`
      insert into device_health (device_id, health_date, health_json, battery_percent)
      values (${deviceID}, now() - make_interval(mins => ${minutes}), '{}', ${battery})`,
    alertsOf: async (ruleID: number) => {
      await judged();
      return (await client.listRuleAlerts({ body: { ruleID } })).results.toReversed();
    },
    rule: async (rule: object) => (await client.createRule({ body: { ruleName: 'State', ...rule } as never })).key ?? 0,
  };
}

/** The rule that is built in for the state. */
export async function builtIn({ admin }: TestServer, state: string) {
  const rules = await admin.session.listRules();
  const rule = rules.find(({ userID, when }) => userID === undefined && when?.state === state);
  if (!rule) throw new Error(`No rule is built in for ${state}.`);
  return { ...rule, key: rule.key ?? 0, version: rule.version ?? 0 };
}
