import type { Pool } from '@earshot/server/platform/database/connect';
import type { Caller } from '@earshot/server/platform/http/caller';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explain, faultsOf, openCapturing } from '../../audio-clip/tests/plans.ts';
import { readEntries } from '../../bell/rules.ts';
import { explainMatch } from '../../rule/explain/explain.ts';
import { findMatchPage } from '../../rule/match/pages.ts';
import { findAlertPage, readAlert, reviseAlert, writeNote } from '../rules.ts';
import { findDueKeys } from '../escalate/queries.ts';
import { insertAlerts } from './many-alerts.ts';

// docs/architecture.md and docs/decisions/0044 state the number of statements; none reads a large table completely.

const alerts = 5_000;
const most = 1_000;
const lastMs = Date.UTC(2026, 10, 15);
const range = { startEpoch: lastMs / 1_000 - 86_400, endEpoch: lastMs / 1_000 };
let server: TestServer;
let capturing: ReturnType<typeof openCapturing>;
/** A separate pool, because it does not keep prepared statements. */
let explaining: Pool;
let caller: Caller;
let ruleID: number;
let alertID: number;
let audioClipID: number;
beforeAll(async () => {
  server = await startTestServer({ role: 'server' });
  const person = await server.addPerson();
  caller = { userID: person.userID, role: 'member', credential: 'test' };
  const client = person.session;
  const { key: deviceID = 0 } = await client.createDevice({ body: { deviceSerial: 'gate', autoCaption: false } });
  ruleID =
    (await client.createRule({ body: { ruleName: 'Fires', when: { words: 'fire' }, isEnabled: false } })).key ?? 0;
  await insertAlerts(server.db, { ruleID, deviceID, userID: person.userID, lastMs }, alerts);
  // Another person has more.
  await server.db`
    insert into bell_entries (user_id, kind, entry_count)
    select ${server.admin.userID}, 'tooOld', 1 from generate_series(1, ${10 * alerts})`;
  const { key: teamID = 0 } = await server.admin.session.createTeam({ body: { teamName: 'North team' } });
  await server.db`
    insert into alert_escalations (alert_id, team_id, action_number, includes_words, due_date)
    select key, ${teamID}, 0, false, now() + interval '1 hour' from alerts`;
  await server.db`vacuum analyze`;
  const [newest] = await server.db<{ alertID: number; audioClipID: number }[]>`
    select am.alert_id as "alertID", m.audio_clip_id as "audioClipID" from alert_matches am
    join rule_matches m on m.key = am.match_id order by m.start_ms desc limit 1`;
  ({ alertID, audioClipID } = newest ?? { alertID: 0, audioClipID: 0 });
  capturing = openCapturing(server.databaseUrl);
  await capturing.db`select 1`;
  explaining = openCapturing(server.databaseUrl).db;
});
afterAll(async () => {
  await capturing.db.end({ timeout: 1 });
  await explaining.end({ timeout: 1 });
  await server.stop();
});

const costs: readonly (readonly [name: string, statements: number, work: (db: Pool) => Promise<unknown>])[] = [
  ['list alerts', 1, (db) => findAlertPage(db, caller, {})],
  ['list alerts of a rule and a day', 1, (db) => findAlertPage(db, caller, { ruleID, ...range })],
  ['read an alert', 3, (db) => readAlert(db, caller, alertID)],
  ['change an alert', 9, (db) => reviseAlert(db, caller, alertID, { state: 'acknowledged' })],
  ['write a note', 5, (db) => writeNote(db, caller, alertID, 'Seen.')],
  ['look for alerts to escalate', 1, (db) => findDueKeys(db, 100)],
  ['read the bell', 3, (db) => readEntries(db, caller, {})],
  ['list matches', 2, (db) => findMatchPage(db, caller, { ruleID })],
  ['explain', 5, (db) => explainMatch(db, caller, { ruleID, audioClipID }, 35)],
];

describe.each(costs)('%s', (_name, statements, work) => {
  test(`costs ${statements}, and reads no large table completely`, async () => {
    capturing.sent.length = 0;
    await work(capturing.db);
    const sent = capturing.sent.filter(({ text }) => !/^\s*(begin|commit|set |lock )/i.test(text));
    expect(sent.map(({ text }) => text.trim().split('\n')[0])).toHaveLength(statements);
    for (const statement of sent.filter(({ text }) => /^\s*(select|with)/i.test(text)))
      for (const mode of ['custom', 'generic'] as const) {
        const { plan, lines } = await explain(explaining, statement, mode);
        expect(faultsOf(plan, most), lines).toEqual([]);
        expect(lines).not.toMatch(/Seq Scan on (rule_matches|alerts|alert_matches|alert_escalations|bell_entries)/);
      }
  });
});
