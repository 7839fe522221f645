import { randomBytes } from 'node:crypto';
import { readAuditHead } from '@earshot/contract/audit-head';
import { writeLeaf } from '@earshot/contract/audit-leaf';
import type { AuditLogHeader, AuditLogLine } from '@earshot/contract/audit-log';
import { createGrowingTree, hashLeaf, rootOfPath } from '@earshot/contract/audit-tree';
import { isSignedBy, noteKeyOf, openNote } from '@earshot/contract/signed-note';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecretBox } from '../../../../platform/secrets/secret-box.ts';
import { dropMonths, makeMonths } from '../../queries.ts';
import { recordAct } from '../../record-queries.ts';
import { proveEntries } from '../proof.ts';
import { sealEntries } from '../seal.ts';

const secretKey = randomBytes(32);
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ secretKey });
});
afterAll(() => server.stop());

const seal = () => sealEntries({ db: server.db, secretBox: createSecretBox(secretKey) }, { waits: true });

/** Transactions of other tests in the same PostgreSQL keep entries unsettled for a moment. */
const sealAll = () =>
  expect
    .poll(async () => {
      await seal();
      return (await server.admin.session.getAuditLog()).unsealedCount;
    })
    .toBe(0);

async function exportLog(): Promise<{ header: AuditLogHeader; lines: AuditLogLine[] }> {
  const [first = '', ...rest] = (await server.admin.session.exportAuditLog()).trimEnd().split('\n');
  return {
    header: JSON.parse(first) as AuditLogHeader,
    lines: rest.map((line) => JSON.parse(line) as AuditLogLine),
  };
}

const readNote = (note: string | undefined) => {
  const opened = openNote(note ?? '');
  const head = readAuditHead(opened?.text ?? '');
  if (!opened || !head) throw new Error('not a signed head');
  return { opened, head };
};

const addEntries = (count: number, more: { at?: string; before?: boolean } = {}) => server.db`
  insert into audit_entries (action, record_key, audit_date ${more.before ? server.db`, written_in` : server.db``})
  select 'clip-removed', n, ${more.at ?? new Date().toISOString()}::timestamptz ${more.before ? server.db`, null` : server.db``}
  from generate_series(1, ${count}) n`;

test('every entry is a leaf, in the order of its transaction, under a signed head', async () => {
  await addEntries(700);
  await sealAll();
  const { header, lines } = await exportLog();
  const { opened, head } = readNote(header.head);
  const [key] = header.keys;
  expect(isSignedBy(opened, head.origin, noteKeyOf(Buffer.from(key?.publicKey ?? '', 'base64')))).toBe(true);
  expect(head.size).toBe(lines.length);
  expect(lines.length).toBeGreaterThan(700);
  const tree = createGrowingTree();
  for (const [index, { leafIndex, hash, entry }] of lines.entries()) {
    expect(leafIndex).toBe(index);
    expect(entry && hashLeaf(writeLeaf(entry)).toString('hex')).toBe(hash);
    tree.append(Buffer.from(hash, 'hex'));
  }
  expect(tree.root().toString('base64')).toBe(head.root);
  const rows = await server.db<{ key: number }[]>`select key from audit_entries order by written_in, key`;
  expect(lines.map(({ entry }) => entry?.key)).toEqual(rows.slice(0, lines.length).map(({ key: entry }) => entry));
});

test('the rule that did something is sealed with its act', async () => {
  const { db, admin } = server;
  await recordAct(db, { userID: admin.userID, ruleID: 7 }, 'clip-locked', { recordID: 5 });
  await sealAll();
  const { lines } = await exportLog();
  const entry = lines.findLast((line) => line.entry?.action === 'clip-locked')?.entry;
  expect(entry).toMatchObject({ userID: admin.userID, ruleID: 7, recordID: 5 });
});

test('entries are shown with their place in the log once they are sealed', async () => {
  const person = await server.addPerson();
  const list = () => person.session.listAuditEntries({ body: { action: 'sign-in' } });
  await expect.poll(async () => (await list()).results[0]?.leafIndex).toBeGreaterThan(0);
});

test('an entry of a transaction that runs is not sealed, and later ones wait for it', async () => {
  const { db } = server;
  await sealAll();
  const size = async () => (await server.admin.session.getAuditLog()).size;
  const before = await size();
  await db.begin(async (tx) => {
    await tx`insert into audit_entries (action) values ('sign-out')`;
    await server.admin.withKey();
    await sealEntries({ db, secretBox: createSecretBox(secretKey) });
    expect(await size()).toBe(before);
    expect((await server.admin.session.getAuditLog()).unsealedCount).toBe(1);
  });
  await sealAll();
  expect(await size()).toBe(before + 2);
  const [first] = await db<{ action: string }[]>`
    select e.action from audit_leaves l join audit_entries e on e.key = l.entry_key where l.leaf_index = ${before}`;
  expect(first?.action).toBe('sign-out');
});

test('proofs of some entries lead to the root of the signed head', async () => {
  await addEntries(1_300);
  await sealAll();
  const rows = await server.db<{ key: number }[]>`select key from audit_entries order by random() limit 50`;
  const { head: note, proofs } = await proveEntries(server.db, [...rows.map(({ key }) => key), 999_999_999]);
  const { head } = readNote(note);
  expect(proofs).toHaveLength(50);
  for (const { leafIndex, entry, path } of proofs) {
    const hashes = path.map((hash) => Buffer.from(hash, 'hex'));
    expect(rootOfPath(hashLeaf(writeLeaf(entry)), leafIndex, head.size, hashes)?.toString('base64')).toBe(head.root);
  }
});

test('two nodes that seal at once give every entry one leaf', async () => {
  await addEntries(5_000);
  await Promise.all([seal(), seal(), seal()]);
  await sealAll();
  const [row] = await server.db<{ leaves: number; entries: number; last: number }[]>`
    select (select count(*) from audit_leaves) as leaves, (select count(*) from audit_entries) as entries,
      (select max(leaf_index) from audit_leaves) as last`;
  expect(row).toMatchObject({ leaves: row?.entries, last: (row?.entries ?? 0) - 1 });
});

test('sealers that wait for one another begin no epoch; a database that was moved begins one', async () => {
  const { db } = server;
  const epoch = async () => (await server.admin.session.getAuditLog()).epoch;
  for (let round = 0; round < 10; round += 1) {
    await Promise.all([seal(), addEntries(1), seal(), addEntries(1), seal()]);
  }
  expect(await epoch()).toBe(1);
  await sealAll();
  await db`update audit_log set sealed_in = (pg_current_xact_id()::text::bigint + 1000000)::text::xid8`;
  await addEntries(3);
  await sealAll();
  expect(await epoch()).toBe(2);
  const [row] = await db<{ left: number }[]>`
    select count(*)::int as left from audit_entries e
    where not exists (select from audit_leaves l where l.entry_key = e.key)`;
  expect(row?.left).toBe(0);
});

test('leaves cannot be changed or deleted', async () => {
  const { db } = server;
  await expect(db`update audit_leaves set hash = '\\x00'`).rejects.toThrow(/cannot be changed/);
  await expect(db`delete from audit_leaves`).rejects.toThrow(/cannot be changed/);
  await expect(db`truncate audit_leaves`).rejects.toThrow(/cannot be changed/);
});

test('pruned entries keep their hash, lose their salt, and the head counts them', async () => {
  const { db } = server;
  await addEntries(30, { at: '2020-03-04T05:06:07Z' });
  await sealAll();
  await makeMonths(db);
  await dropMonths(db, 2_000);
  const { header, lines } = await exportLog();
  expect(lines.filter(({ entry }) => !entry)).toHaveLength(30);
  expect(readNote(header.head).head.pruned).toEqual({ keptSince: '2020-04-01', count: 30 });
  const tree = createGrowingTree();
  for (const { hash } of lines) tree.append(Buffer.from(hash, 'hex'));
  expect(tree.root().toString('base64')).toBe(readNote(header.head).head.root);
  const [left] = await db<{ salts: number }[]>`
    select count(salt)::int as salts from audit_leaves where entry_date < '2020-04-01'`;
  expect(left?.salts).toBe(0);
});

test('entries of before are sealed first, and marked', async () => {
  const other = await startTestServer({ role: 'server' });
  try {
    const { db } = other;
    await db`update audit_log set has_sealed_before = false, sealed_in = '0', sealed_key = 0`;
    await db`insert into audit_entries (action, written_in) select 'sign-out', null from generate_series(1, 3)`;
    const [first = '', ...rest] = (await other.admin.session.exportAuditLog()).trimEnd().split('\n');
    expect(first).toContain('earshot-audit-log');
    const lines = rest.map((line) => (JSON.parse(line) as AuditLogLine).entry);
    const marked = lines.filter((entry) => entry?.isFromBefore);
    expect(marked.map((entry) => entry?.action)).toEqual(['sign-out', 'sign-out', 'sign-out']);
  } finally {
    await other.stop();
  }
});

test('a new key is introduced by the former, whose secret part is gone', async () => {
  const { session } = server.admin;
  const before = await session.getAuditLog();
  const after = await session.changeAuditKey();
  expect(after.keys).toHaveLength(before.keys.length + 1);
  const { opened, head } = readNote(after.head);
  const keys = after.keys.map(({ publicKey }) => noteKeyOf(Buffer.from(publicKey, 'base64')));
  expect(keys.map((key) => isSignedBy(opened, head.origin, key))).toEqual([false, true]);
  const introduction = openNote(after.keys[1]?.note ?? '');
  expect(introduction && keys.map((key) => isSignedBy(introduction, head.origin, key))).toEqual([true, true]);
  const rows = await server.db<{ has: boolean }[]>`select sealed_seed is not null as has from audit_keys order by key`;
  expect(rows.map(({ has }) => has)).toEqual([false, true]);
  const entries = await session.listAuditEntries({ body: { action: 'audit-key-changed' } });
  expect(entries.results).toHaveLength(1);
});
