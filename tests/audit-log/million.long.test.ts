import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { sealEntries } from '@earshot/server/features/audit/log/seal';
import { createSecretBox } from '@earshot/server/platform/secrets/secret-box';
import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { verifyLog } from '../../cli/src/verify-audit/verify-log.ts';

const entries = 1_000_000;
const megabyte = 1024 ** 2;

/** How long the work took, and by how much the memory of this process grew meanwhile. */
async function measure<Result>(
  name: string,
  work: () => Promise<Result>,
): Promise<{ result: Result; grownMB: number }> {
  const [startMs, start, startCPU] = [performance.now(), process.memoryUsage.rss(), process.cpuUsage()];
  let most = start;
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 50);
  try {
    const result = await work();
    const grownMB = (most - start) / megabyte;
    const { user, system } = process.cpuUsage(startCPU);
    const [seconds, processorSeconds] = [(performance.now() - startMs) / 1_000, (user + system) / 1e6];
    process.stdout.write(
      `${name}: ${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor time, +${grownMB.toFixed(0)} MB\n`,
    );
    return { result, grownMB };
  } finally {
    clearInterval(timer);
  }
}

test('a million entries are sealed, exported and verified, in memory that does not grow with them', async () => {
  const secretKey = randomBytes(32);
  const server = await startTestServer({ secretKey });
  onTestFinished(() => server.stop());
  const folder = await mkdtemp(join(tmpdir(), 'earshot-million-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'log.jsonl');
  for (let at = 0; at < 10; at += 1) {
    await server.db`
      insert into audit_entries (action, user_id, device_id, record_key, sha256_before, sha256_after)
      select 'sound-replaced', n % 50, n % 1000, n, sha256(n::text::bytea), sha256((n + 1)::text::bytea)
      from generate_series(1, ${entries / 10}) n`;
  }
  await measure('seal', async () => {
    const parts = { db: server.db, secretBox: createSecretBox(secretKey) };
    const waiting = async (): Promise<number> => {
      await sealEntries(parts, { waits: true });
      return (await server.admin.session.getAuditLog()).unsealedCount;
    };
    while ((await waiting()) > 0);
  });
  await measure('export', async () => {
    const headers = { cookie: server.admin.cookie };
    const answer = await fetch(new URL('/v1/audit/log/export', server.url), { method: 'POST', headers });
    await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(path));
  });
  // The reference: what reading and hashing the same file costs.
  await measure('SHA-256 of the file', () => pipeline(createReadStream(path), createHash('sha256')));
  const { head = '', keys } = await server.admin.session.getAuditLog();
  const { result, grownMB } = await measure('verify', () =>
    verifyLog(createInterface({ input: createReadStream(path) }), {
      fingerprint: keys[0]?.fingerprint,
      heads: [{ name: 'kept.txt', note: head }],
    }),
  );
  expect(result).toMatchObject({ verdict: 'verified', faults: [] });
  expect(result.size).toBeGreaterThan(entries);
  expect(grownMB).toBeLessThan((await stat(path)).size / megabyte / 2);
}, 1_800_000);
