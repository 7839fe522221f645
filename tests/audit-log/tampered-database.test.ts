import { randomBytes } from 'node:crypto';
import { writeLeaf } from '@earshot/contract/audit-leaf';
import type { AuditLogHeader, AuditLogLine } from '@earshot/contract/audit-log';
import { hashLeaf } from '@earshot/contract/audit-tree';
import { sealEntries } from '@earshot/server/features/audit/log/seal';
import type { Db } from '@earshot/server/platform/database/connect';
import { createSecretBox } from '@earshot/server/platform/secrets/secret-box';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LogReport } from '../../cli/src/verify-audit/report.ts';
import { verifyLog } from '../../cli/src/verify-audit/verify-log.ts';

/* What somebody does who owns the database and the secret key, with a head that was sent away before. */

const secretKey = randomBytes(32);
const count = 40;
let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ secretKey });
  await addEntries();
});
afterEach(() => server.stop());

const addEntries = () =>
  server.db`insert into audit_entries (action, user_id, record_key) select 'clip-removed', 7, n from generate_series(1, ${count}) n`;

async function sealAll(): Promise<string> {
  const sealed = async () => {
    await sealEntries({ db: server.db, secretBox: createSecretBox(secretKey) }, { waits: true });
    return (await server.admin.session.getAuditLog()).unsealedCount;
  };
  await expect.poll(sealed).toBe(0);
  return (await server.admin.session.getAuditLog()).head ?? '';
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

async function exportLog(): Promise<{ header: AuditLogHeader; lines: string[] }> {
  const lines = (await server.admin.session.exportAuditLog()).trimEnd().split('\n');
  return { header: JSON.parse(lines[0] ?? '') as AuditLogHeader, lines };
}

async function verifyWith(head: string): Promise<LogReport> {
  const { header, lines } = await exportLog();
  const heads = [{ name: 'kept.txt', note: head }];
  return verifyLog(each(lines), { fingerprint: header.keys[0]?.fingerprint, heads });
}

/** As the owner of the database, whom no trigger stops. */
const asOwner = (work: (tx: Db) => Promise<unknown>) =>
  server.db.begin(async (tx) => {
    await tx`alter table audit_entries disable trigger user`;
    await tx`alter table audit_leaves disable trigger user`;
    await work(tx);
    await tx`alter table audit_entries enable trigger user`;
    await tx`alter table audit_leaves enable trigger user`;
  });

/** A sealed entry in the middle. */
async function pick(): Promise<{ leafIndex: number; entryKey: number }> {
  const [row] = await server.db<{ leafIndex: number; entryKey: number }[]>`
    select l.leaf_index as "leafIndex", l.entry_key as "entryKey" from audit_leaves l
      join audit_entries e on e.key = l.entry_key where e.action = 'clip-removed' and e.record_key = ${count / 2}`;
  if (!row) throw new Error('nothing was sealed');
  return row;
}

test('nobody touches it: verified', async () => {
  expect(await verifyWith(await sealAll())).toMatchObject({
    verdict: 'verified',
    headsCompared: 1,
    faults: [],
    gaps: [],
  });
});

test('an entry is changed, moved to another hour, or taken out: found at its place', async () => {
  const head = await sealAll();
  const { leafIndex, entryKey } = await pick();
  const found = { verdict: 'faulty', faults: [{ from: leafIndex, to: leafIndex }] };
  await asOwner((tx) => tx`update audit_entries set user_id = 8 where key = ${entryKey}`);
  expect(await verifyWith(head)).toMatchObject(found);
  await asOwner((tx) => tx`update audit_entries set user_id = 7 where key = ${entryKey}`);
  expect(await verifyWith(head)).toMatchObject({ verdict: 'verified', faults: [] });
  await asOwner(
    (tx) => tx`update audit_entries set audit_date = audit_date + interval '1 hour' where key = ${entryKey}`,
  );
  expect(await verifyWith(head)).toMatchObject(found);
  await asOwner((tx) => tx`delete from audit_entries where key = ${entryKey}`);
  expect(await verifyWith(head)).toMatchObject(found);
});

test('an entry is changed with its hash: found up to the head that was sent away', async () => {
  const head = await sealAll();
  const { leafIndex, entryKey } = await pick();
  await asOwner((tx) => tx`update audit_entries set user_id = 8 where key = ${entryKey}`);
  const { lines } = await exportLog();
  const { entry } = JSON.parse(lines[leafIndex + 1] ?? '') as AuditLogLine;
  if (!entry) throw new Error('the entry is not there');
  await asOwner(
    (tx) => tx`update audit_leaves set hash = ${hashLeaf(writeLeaf(entry))} where leaf_index = ${leafIndex}`,
  );
  const { verdict, faults } = await verifyWith(head);
  expect(verdict).toBe('faulty');
  expect(faults).toMatchObject([{ from: 0, text: expect.stringContaining('kept.txt does not match') as string }]);
});

test('an entry is counted as pruned: the answer is not "verified"', async () => {
  const head = await sealAll();
  const { leafIndex, entryKey } = await pick();
  await asOwner(async (tx) => {
    await tx`delete from audit_entries where key = ${entryKey}`;
    await tx`update audit_leaves set salt = null where leaf_index = ${leafIndex}`;
    await tx`update audit_log set pruned_count = 1, kept_since = '2020-01-01', head_is_due = true`;
  });
  const { verdict, gaps } = await verifyWith(head);
  expect(verdict).toBe('incomplete');
  expect(gaps).toMatchObject([{ from: leafIndex, to: leafIndex }]);
});

test('the log is cut and sealed again with the real key: found', async () => {
  const head = await sealAll();
  await asOwner(async (tx) => {
    await tx`delete from audit_leaves`;
    await tx`delete from audit_subtrees`;
    await tx`delete from audit_entries where action = 'clip-removed' and record_key > ${count / 2}`;
    await tx`update audit_log set size = 0, peaks = '', sealed_in = '0', sealed_key = 0, head = null, head_is_due = true`;
  });
  const shorter = await verifyWith(head);
  expect(shorter).toMatchObject({ verdict: 'faulty', gaps: [] });
  expect(shorter.faults).toMatchObject([{ text: expect.stringContaining('entries were taken out') as string }]);
  await addEntries();
  await sealAll();
  const longer = await verifyWith(head);
  expect(longer.faults).toMatchObject([
    { from: 0, text: expect.stringContaining('kept.txt does not match') as string },
  ]);
});

test('a restore is pretended, to take the newest entries out: the answer is not "verified"', async () => {
  const early = await sealAll();
  const { size } = await server.admin.session.getAuditLog();
  const [state] = await server.db`select peaks, sealed_in::text as "in", sealed_key as key from audit_log`;
  await addEntries();
  const head = await sealAll();
  await asOwner(async (tx) => {
    await tx`delete from audit_leaves where leaf_index >= ${size}`;
    await tx`delete from audit_entries e where not exists (select from audit_leaves l where l.entry_key = e.key)`;
    await tx`update audit_log set size = ${size}, peaks = ${state?.['peaks']}, head = ${early}, sealed_key = ${state?.['key']},
      sealed_in = ${state?.['in']}::text::xid8`;
    await tx`select begin_audit_epoch()`;
  });
  expect((await verifyWith(early)).verdict).toBe('verified');
  const { verdict, gaps } = await verifyWith(head);
  expect(verdict).toBe('incomplete');
  expect(gaps).toMatchObject([{ text: expect.stringContaining('lost, or taken out') as string }]);
});

test('an entry is changed before it is sealed: nothing tells, as docs/operating.md says', async () => {
  await asOwner(async (tx) => {
    // Nothing is sealed that was written by a transaction which runs.
    await tx`insert into audit_entries (action, user_id, record_key) values ('clip-removed', 7, 0)`;
    await tx`update audit_entries set user_id = 8 where action = 'clip-removed' and record_key = 0`;
  });
  expect((await verifyWith(await sealAll())).verdict).toBe('verified');
});
