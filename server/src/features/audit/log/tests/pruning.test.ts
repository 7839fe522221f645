import { randomBytes } from 'node:crypto';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { silentLog } from '@earshot/server/testing/log';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../../platform/database/connect.ts';
import { createSecretBox } from '../../../../platform/secrets/secret-box.ts';
import { dropMonths, makeMonths } from '../../queries.ts';
import { createReadLog } from '../../read-log.ts';
import { exportLog } from '../rules.ts';
import { sealEntries } from '../seal.ts';

const secretKey = randomBytes(32);
const keptDays = 2_000;
let server: TestServer;
beforeAll(async () => {
  // The sweep of the node drops no month that these tests make.
  server = await startTestServer({ secretKey, auditDays: 36_500 });
});
afterAll(() => server.stop());

const secretBox = createSecretBox(secretKey);
const addOldEntries = (at: string) => server.db`
  insert into audit_entries (action, record_key, audit_date) select 'clip-removed', n, ${at} from generate_series(1, 5) n`;

/** How many statements of the test with this text wait for a lock; the server may wait for the same one. */
const waitingFor = async (text: string) => {
  const rows = await server.db`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'pruning' and wait_event_type = 'Lock'
      and query like ${`%${text}%`}`;
  return rows.length;
};

test('entries that are being sealed while their month is dropped are counted and lose their salt', async () => {
  const db = connect(server.databaseUrl, { connections: 4, name: 'pruning' });
  onTestFinished(() => db.end({ timeout: 1 }));
  await makeMonths(db);
  await sealEntries({ db, secretBox }, { waits: true });
  const work: Promise<unknown>[] = [];
  await db.begin(async (tx) => {
    await tx`select from audit_log for update`;
    await addOldEntries('2020-05-04T05:06:07Z');
    await makeMonths(db);
    work.push(sealEntries({ db, secretBox }, { waits: true }));
    await expect.poll(() => waitingFor('from audit_log l for update')).toBe(1);
    work.push(dropMonths(db, keptDays));
    await expect.poll(() => waitingFor('drop_audit_months')).toBe(1);
  });
  await Promise.all(work);
  const [row] = await db<{ bare: number; salted: number; counted: number }[]>`
    select count(*) filter (where l.salt is null)::int as bare, count(l.salt)::int as salted,
      (select pruned_count from audit_log)::int as counted
    from audit_leaves l where l.entry_date < '2020-06-01'`;
  expect(row?.salted).toBe(0);
  expect(row?.counted).toBe(row?.bare);
});

test('an export during which entries are pruned breaks off, because its head does not account for them', async () => {
  const { db } = server;
  await addOldEntries('2020-07-04T05:06:07Z');
  await makeMonths(db);
  const sealedOld = async () => {
    await sealEntries({ db, secretBox }, { waits: true });
    return (await db`select 1 from audit_leaves where entry_date between '2020-07-01' and '2020-08-01'`).length;
  };
  await expect.poll(sealedOld).toBe(5);
  const parts = {
    db,
    secretBox,
    readLog: createReadLog(db, silentLog),
    config: { auditHeads: undefined },
  };
  const caller = { userID: server.admin.userID, role: 'admin', credential: 'session 1' } as const;
  const text = exportLog(parts, caller);
  expect((await text.next()).value).toContain('earshot-audit-log');
  await dropMonths(db, keptDays);
  const rest = (async () => {
    for await (const part of text) void part;
  })();
  await expect(rest).rejects.toThrow(/Export again/);
  // The next one accounts for them.
  expect((await server.admin.session.exportAuditLog()).split('\n')[0]).toContain('kept-since 2020-08-01 ');
});
