import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EarshotNode } from '@earshot/server/node';
import { startNode } from '@earshot/server/node';
import { administer } from '@earshot/server/testing/database';
import { recordingLog } from '@earshot/server/testing/log';
import { needs } from '@earshot/server/testing/needs';
import { createPeople } from '@earshot/server/testing/person';
import { adminEmail, adminPassword, baseConfig, testNodeOptions } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { startExternalPostgres } from './external-postgres.ts';

const wentBack = 'the database went back: changes that it had acknowledged are missing';

async function startOn(databaseUrl: string) {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-went-back-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const log = recordingLog();
  const node = await startNode({
    ...testNodeOptions(baseConfig(dataDir, databaseUrl, randomBytes(32)), log),
    passwordCost: { memoryCost: 64, timeCost: 1, parallelism: 1 },
  });
  onTestFinished(() => node.stop());
  const { session } = await createPeople(node.url).signIn(adminEmail, adminPassword);
  return {
    node,
    add: (deviceSerial: string) => session.createDevice({ body: { deviceSerial } }),
    findSerials: async () => (await session.listOwnDevices()).map((device) => device.deviceSerial),
    lines: () =>
      log.lines.filter(({ message }) => message === wentBack).map(({ level, fields }) => ({ level, ...fields })),
  };
}

async function readGauge({ url }: EarshotNode, name: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', url))).text();
  return Number(new RegExp(String.raw`^earshot_database_${name} (\d+)$`, 'm').exec(text)?.[1]);
}

async function readReadiness({ url }: EarshotNode): Promise<{ status: number; warning?: string }> {
  const response = await fetch(new URL('/readyz', url));
  return { ...((await response.json()) as { warning?: string }), status: response.status };
}

/** Waits until the node has been told a later position than now. */
async function waitForPosition(node: EarshotNode): Promise<void> {
  const before = await readGauge(node, 'position_bytes');
  await expect.poll(() => readGauge(node, 'position_bytes')).toBeGreaterThan(before);
}

test('a copy of the database is noticed, and a restart is not', needs('postgresql'), async () => {
  const postgres = await startExternalPostgres();
  onTestFinished(() => postgres.remove());
  await administer(postgres.url('postgres'), 'create database earshot');
  const { node, add, findSerials, lines } = await startOn(postgres.url('earshot'));
  await add('before-1');
  await waitForPosition(node);

  await postgres.keepCopy();
  await expect.poll(async () => (await readReadiness(node)).status).toBe(200);
  await waitForPosition(node);
  expect(await readReadiness(node)).toEqual({ status: 200 });
  expect(await readGauge(node, 'went_back')).toBe(0);

  await add('after-1');
  await waitForPosition(node);
  await postgres.startCopy();
  // More than what is missing, before the node has looked.
  await administer(postgres.url('earshot'), 'create table larger as select generate_series(1, 200000) as n');
  await expect
    .poll(() => readReadiness(node))
    .toEqual({ status: 200, warning: expect.stringMatching(/^The database went back: .* are missing\.$/) as string });
  await waitForPosition(node);
  expect(await readGauge(node, 'went_back')).toBe(1);
  expect(lines()).toEqual([expect.objectContaining({ level: 'error', fromTimeline: 1, toTimeline: 1 })]);
  // The node goes on with what there is.
  expect(await findSerials()).toEqual(['before-1']);
  await add('after-1');
});

test('a standby that lacks the end is noticed, although it has written more since', needs('postgresql'), async () => {
  const postgres = await startExternalPostgres();
  onTestFinished(() => postgres.remove());
  await administer(postgres.url('postgres'), 'create database earshot');
  const standby = await postgres.addStandby();
  const [first, second] = [new URL(postgres.url('earshot')), new URL(standby.url('earshot'))];
  const { node, add, lines } = await startOn(first.href.replace(first.host, `${first.host},${second.host}`));
  await add('before-1');
  await waitForPosition(node);
  await standby.cutOff();
  await add('after-1');
  await waitForPosition(node);

  await postgres.stop();
  await standby.promote();
  await administer(second.href, 'create table larger as select generate_series(1, 200000) as n');
  await expect.poll(async () => (await readReadiness(node)).warning).toBeDefined();
  await waitForPosition(node);
  expect(lines()).toEqual([expect.objectContaining({ level: 'error', fromTimeline: 1, toTimeline: 2 })]);
  expect(lines()[0]).toHaveProperty('since', expect.any(String));
  expect(lines()[0]).toHaveProperty(
    'lostBytes',
    expect.toSatisfy((bytes: number) => bytes > 0),
  );
});
