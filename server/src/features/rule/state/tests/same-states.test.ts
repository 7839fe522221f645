import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../../../platform/database/connect.ts';
import type { TestServer } from '../../../../testing/server.ts';
import { startTestServer } from '../../../../testing/server.ts';
import { addDevice } from '../../../event/tests/fleet.ts';
import { createChance } from '../../tests/same/chance.ts';
import type { Minutes, PlainDevice, PlainWorld } from './plain.ts';
import { readPlainly } from './plain.ts';
import type { RandomRule } from './random-states.ts';
import { randomDevice, randomSpans, randomStateRule } from './random-states.ts';

/*
 * Random measurements of some days. What the engine recorded, and what a trial finds, is what a plain reading finds minute by minute.
 */

const msPerMinute = 60_000;
const days = 4;
const seed = Number(process.env['EARSHOT_TEST_SEED'] ?? Math.floor(Math.random() * 1e9));

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const quiet = () =>
  expect.poll(async () => (await server.db`select 1 from states_to_judge where due_date <= now()`).length).toBe(0);

/** The runs of the platform before the test, with times in which it was away. */
function randomRuns(chance: ReturnType<typeof createChance>, now: number): Minutes[] {
  const away = randomSpans(chance, 0, now - 10, 900).filter(({ to }) => to !== undefined && to < now - 10);
  const begins = [0, ...away.map(({ to }) => to!)];
  return begins.map((from, at) => ({ from, to: away[at]?.from })).filter(({ from, to = Infinity }) => from < to);
}

async function store(db: Db, deviceID: number, device: PlainDevice, dateOf: (minute: number) => Date): Promise<void> {
  const end = (minute: number | undefined) => (minute === undefined ? null : dateOf(minute));
  await db`update devices set creation_date = ${dateOf(device.created)} where key = ${deviceID}`;
  for (const { from, to } of device.online)
    await (to === undefined
      ? db`insert into online_devices (device_id, since, until) values (${deviceID}, ${dateOf(from)}, now() + interval '1 day')`
      : db`insert into online_times (device_id, since, until) values (${deviceID}, ${dateOf(from)}, ${dateOf(to)})`);
  for (const { at, battery, disk } of device.reports)
    await db`
      insert into device_health (device_id, health_date, health_json, battery_percent, disk_used_percent)
      values (${deviceID}, ${dateOf(at)}, '{}', ${battery ?? null}, ${disk ?? null})`;
  for (const [at, { from, to }] of device.differences.entries())
    await db`
      insert into setting_differences (device_id, setting_name, since, until)
      values (${deviceID}, ${`s${at}`}, ${dateOf(from)}, ${end(to)})`;
  for (const [at, { from, to }] of device.failedUploads.entries())
    await db`
      insert into upload_failures (audio_clip_id, device_id, since, until)
      values (${-(deviceID * 1_000 + at)}, ${deviceID}, ${dateOf(from)}, ${end(to)})`;
  const { session } = server.admin;
  for (const at of device.failedEvents) {
    const { key = 0 } = await session.createEvent({ body: { deviceID, eventType: 'Reboot' } });
    await db`
      insert into event_transitions (event_id, transition_date, from_status, to_status, cause, attempt_number)
      values (${key}, ${dateOf(at)}, 1, 5, 'reported', 1)`;
    await db`update events set event_status = 5, creation_date = ${dateOf(at)} where key = ${key}`;
  }
}

test(`the engine, a trial and a plain reading find the same spans (seed ${seed})`, async () => {
  const chance = createChance(seed);
  const { db, admin } = server;
  const now = days * 24 * 60;
  const beginMs = Math.floor(Date.now() / msPerMinute) * msPerMinute - now * msPerMinute;
  const dateOf = (minute: number) => new Date(beginMs + minute * msPerMinute);
  const world: PlainWorld = {
    runs: randomRuns(chance, now),
    now,
    firstMinuteOfDay: Math.floor(beginMs / msPerMinute) % (24 * 60),
  };
  await db`delete from platform_times`;
  for (const { from, to } of world.runs)
    await db`
      insert into platform_times (since, until) values (${dateOf(from)}, ${to === undefined ? new Date() : dateOf(to)})`;
  const devices = new Map<number, PlainDevice>();
  for (let count = 0; count < 8; count++) {
    const { deviceID } = await addDevice(admin.session);
    const device = randomDevice(chance, now);
    devices.set(deviceID, device);
    await store(db, deviceID, device, dateOf);
  }
  const keys = [...devices.keys()];
  const rules = new Map<number, RandomRule>();
  for (let at = 0; at < 21; at++) {
    const made = randomStateRule(chance, keys, at);
    rules.set((await admin.session.createRule({ body: made.rule })).key ?? 0, made);
  }
  await quiet();
  // As if the rules had been there from the begin, and the platform had judged nothing since.
  await db`update rules set change_date = ${dateOf(0)} where key = any(${[...rules.keys()]}::bigint[])`;
  await db`insert into states_to_judge (device_id, due_date) select key, ${dateOf(0)} from devices`;
  await quiet();
  /** What is later than the last minute of the test has not happened yet. */
  const past = (rows: readonly { deviceID: number; startMs: number; endMs: number | null }[]) =>
    rows
      .filter(({ startMs }) => startMs <= beginMs + now * msPerMinute)
      .map(({ deviceID, startMs, endMs }) => {
        const to = endMs === null || endMs > beginMs + now * msPerMinute ? undefined : (endMs - beginMs) / msPerMinute;
        return { deviceID, from: (startMs - beginMs) / msPerMinute, to };
      })
      .toSorted((one, other) => one.deviceID - other.deviceID || one.from - other.from);
  const recorded = async (ruleID: number) =>
    past(
      await db<{ deviceID: number; startMs: number; endMs: number | null }[]>`
        select device_id as "deviceID", start_ms as "startMs", end_ms as "endMs" from rule_matches
        where rule_id = ${ruleID} and not is_withdrawn`,
    );
  const tried = async ({ rule }: RandomRule) => {
    const found: { deviceID: number; startMs: number; endMs: number | null }[] = [];
    for (let offset = 0, total = 1; offset < total; offset += 100) {
      const page = await admin.session.tryRule({
        body: { rule, startEpoch: Math.floor(beginMs / 1_000), offset, limit: 100 },
      });
      total = page.total;
      for (const { deviceID, startTime, startTimeMs, endTime, endTimeMs = 0 } of page.matches)
        found.push({
          deviceID,
          startMs: startTime * 1_000 + startTimeMs,
          endMs: endTime === undefined ? null : endTime * 1_000 + endTimeMs,
        });
    }
    return past(found);
  };
  const plainly = ({ plain }: RandomRule) =>
    Array.from(devices)
      .flatMap(([deviceID, device]) => readPlainly(device, plain, world).map((match) => ({ deviceID, ...match })))
      .toSorted((one, other) => one.deviceID - other.deviceID || one.from - other.from);
  let matches = 0;
  for (const [ruleID, made] of rules) {
    const expected = plainly(made);
    matches += expected.length;
    expect({ rule: made.rule, found: await recorded(ruleID) }).toEqual({ rule: made.rule, found: expected });
    expect({ rule: made.rule, found: await tried(made) }).toEqual({ rule: made.rule, found: expected });
  }
  expect(matches).toBeGreaterThan(20);
  // Judged again by what was measured lately alone, everything stays.
  const all = () => db`select key, start_ms, end_ms, is_withdrawn from rule_matches order by key`;
  const before = await all();
  await db`insert into states_to_judge (device_id) select key from devices`;
  await quiet();
  expect(await all()).toEqual(before);
});
