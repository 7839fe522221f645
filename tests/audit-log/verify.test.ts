import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { AuditLogHeader } from '@earshot/contract/audit-log';
import { openHeadsPlace } from '@earshot/server/features/audit/log/heads-place';
import { sealEntries } from '@earshot/server/features/audit/log/seal';
import { sendHead } from '@earshot/server/features/audit/log/send-heads';
import { createOutbound } from '@earshot/server/platform/outbound/outbound';
import { createSecretBox } from '@earshot/server/platform/secrets/secret-box';
import { silentLog } from '@earshot/server/testing/log';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCli } from '../../cli/src/testing/run-cli.ts';
import { verifyLog } from '../../cli/src/verify-audit/verify-log.ts';
import { tamperings } from './tampering.ts';

const secretKey = randomBytes(32);
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ secretKey });
});
afterAll(() => server.stop());

const changes = 1_000;
const callers = 8;

/** Makes one change at random; each is one entry. */
async function changeSomething(deviceID: number): Promise<void> {
  const { session } = server.admin;
  const text = randomBytes(8).toString('hex');
  const params = { deviceID };
  const way = Math.floor(Math.random() * 3);
  if (way === 0) await session.createApiKey();
  else if (way === 1) await session.updateDevice({ params, body: { deviceDescription: text } });
  else await session.putDeviceSetting({ params, query: {}, body: { settingName: 'gain', settingValue: text } });
}

test('1,000 random changes are exported and verified offline with the heads that were sent away; each tampering is found and placed', async () => {
  const { session } = server.admin;
  const cli = await openCli();
  const heads = join(cli.home, 'heads');
  await mkdir(heads);
  const put = openHeadsPlace({ url: heads, accessKey: '', secretKey: '' }, createOutbound({ allowNetworks: [] }));
  const seal = () => sealEntries({ db: server.db, secretBox: createSecretBox(secretKey) }, { waits: true });
  const { key: deviceID = 0 } = await session.createDevice({ body: { deviceSerial: 'sealed-1' } });
  let left = changes;
  const work = async (): Promise<void> => {
    for (left -= 1; left >= 0; left -= 1) {
      await changeSomething(deviceID);
      if (left % 100 !== 0) continue;
      await seal();
      await sendHead({ db: server.db, log: silentLog, put }, 0);
    }
  };
  await Promise.all(Array.from({ length: callers }, work));
  await expect.poll(() => seal().then(() => session.getAuditLog())).toMatchObject({ unsealedCount: 0 });
  const text = await session.exportAuditLog();
  await sendHead({ db: server.db, log: silentLog, put }, 0);
  const lines = text.split('\n');
  expect(lines.length).toBeGreaterThan(changes);
  await writeFile(join(cli.home, 'log.jsonl'), text);
  const [key] = (JSON.parse(lines[0] ?? '') as AuditLogHeader).keys;
  const verify = (...more: string[]) => cli.run(['verify-audit', 'log.jsonl', ...more]);
  const given = ['--key', key?.fingerprint ?? '', '--heads', 'heads'];

  const verified = await verify(...given);
  expect(verified).toMatchObject({ code: 0, out: expect.stringMatching(/^verified: \d+ entries/) as string });
  expect((await verify()).out).toMatch(/^consistent: .* give --key and --heads/);
  expect((await verify('--key', 'f'.repeat(64))).code).toBe(1);

  const files = (await readdir(heads, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const kept = await Promise.all(
    files.map(async ({ name, parentPath }) => ({ name, note: await readFile(join(parentPath, name), 'utf8') })),
  );
  const verifyChanged = (changed: readonly string[]) =>
    verifyLog(Readable.from(changed), { fingerprint: key?.fingerprint, heads: kept });
  const whole = lines.filter((line) => line !== '');
  expect(await verifyChanged(whole)).toMatchObject({ verdict: 'verified', faults: [] });
  const ways = Object.entries(tamperings);
  const missed: string[] = [];
  for (let round = 0; round < 200; round += 1) {
    const [name, tamper] = ways[round % ways.length] ?? ['', () => []];
    const leaf = 1 + Math.floor(Math.random() * (whole.length - 4));
    const { verdict, faults } = await verifyChanged(tamper(whole, leaf));
    const isPlaced = faults.some(({ from = Infinity, to = -1 }) => from <= leaf && leaf <= to);
    if (verdict !== 'faulty' || !isPlaced) missed.push(`${name} at ${leaf}: ${JSON.stringify(faults.slice(0, 3))}`);
  }
  expect(missed).toEqual([]);

  await writeFile(join(cli.home, 'log.jsonl'), lines.toSpliced(301, 1).join('\n'));
  const dropped = await verify(...given);
  expect(dropped).toMatchObject({ code: 1, out: 'leaf 300 is missing.\n' });
  await writeFile(join(cli.home, 'log.jsonl'), 'something else');
  expect((await verify()).err).toMatch(/not an export of the sealed audit log/);
});
