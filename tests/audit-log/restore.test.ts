import { readAuditHead } from '@earshot/contract/audit-head';
import { openNote } from '@earshot/contract/signed-note';
import {
  backUp,
  emptyInstallation,
  makeFolder,
  openExisting,
  openNew,
  restore,
} from '@earshot/server/backup/tests/installations';
import { startNode } from '@earshot/server/node';
import { silentLog } from '@earshot/server/testing/log';
import type { Person } from '@earshot/server/testing/person';
import { createPeople } from '@earshot/server/testing/person';
import {
  adminEmail,
  adminPassword,
  baseConfig,
  startTestServer,
  testNodeOptions,
} from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { verifyLog } from '../../cli/src/verify-audit/verify-log.ts';

const secretKey = Buffer.alloc(32, 9);

/** A signed head after everything so far was sealed, and the lines of the export. */
async function exportLog({ session }: Person): Promise<{ head: string; lines: string[] }> {
  await session.createApiKey();
  await expect.poll(async () => (await session.getAuditLog()).unsealedCount).toBe(0);
  const lines = (await session.exportAuditLog()).trimEnd().split('\n');
  return { head: (JSON.parse(lines[0] ?? '') as { head: string }).head, lines };
}

async function* each(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

test('a restored installation goes on in a new epoch, which names the last known head', async () => {
  const server = await startTestServer({ secretKey });
  onTestFinished(() => server.stop());
  const before = await exportLog(server.admin);
  // Entries that are not sealed when the backup is made are sealed after the restore.
  await server.db`insert into audit_entries (action, record_key) select 'clip-removed', n from generate_series(1, 20) n`;
  const folder = await makeFolder();
  await backUp(baseConfig(server.dataDir, server.databaseUrl, secretKey), await openNew(folder));
  const later = await exportLog(server.admin);
  const lost = await exportLog(server.admin);

  const restored = await emptyInstallation();
  await restore(restored, await openExisting(folder));
  const node = await startNode({
    ...testNodeOptions({ ...restored, admin: undefined }, silentLog),
    passwordCost: { memoryCost: 64, timeCost: 1, parallelism: 1 },
  });
  onTestFinished(() => node.stop());
  const after = await exportLog(await createPeople(node.url).signIn(adminEmail, adminPassword));
  const head = readAuditHead(openNote(after.head)?.text ?? '');
  expect(head?.epochs.map(({ number }) => number)).toEqual([1, 2]);
  expect(after.lines.filter((line) => line.includes('"clip-removed"'))).toHaveLength(20);

  const { keys } = JSON.parse(after.lines[0] ?? '') as { keys: { fingerprint: string }[] };
  const heads = [before, later, lost, after].map((one, index) => ({ name: `${index}.txt`, note: one.head }));
  const fingerprint = keys[0]?.fingerprint;
  const report = await verifyLog(each(after.lines), { fingerprint, heads });
  // What the backup does not have is told, and is never "verified".
  expect(report).toMatchObject({ verdict: 'incomplete', headsCompared: 2, faults: [] });
  expect(report.gaps).toMatchObject([
    { text: expect.stringMatching(/^At least \d+ entries are not in the log/) as string },
  ]);
  expect(report.notes).toMatchObject([expect.stringMatching(/^Epoch 2 began at leaf \d+/) as string]);
  const rest = await verifyLog(each(after.lines), {
    fingerprint,
    heads: heads.filter((_, at) => at === 0 || at === 3),
  });
  expect(rest).toMatchObject({ verdict: 'verified', headsCompared: 2, faults: [], gaps: [] });
  // The installation of before goes on, with its own epoch; its heads are not those of the restored one.
  const former = await verifyLog(each(lost.lines), { fingerprint, heads });
  expect(former).toMatchObject({ verdict: 'incomplete', faults: [] });
  const goesOn = await exportLog(server.admin);
  const own = await verifyLog(each(goesOn.lines), { fingerprint, heads });
  expect(own.faults).toMatchObject([{ text: 'the head 3.txt is of an epoch that the export does not have.' }]);
});
