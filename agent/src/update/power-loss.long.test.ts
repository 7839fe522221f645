import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventStatus } from '@earshot/contract/event-status';
import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAnyUpdate } from '../testing/any-update.ts';
import { buildPrograms, installAgent, killAll, servePlatform } from '../testing/installed-agent.ts';
import { readCurrent } from './versions.ts';

/*
 * Updates to versions that work and to versions that do not, with a power loss at a random moment of each. Afterwards one of
 * the two versions runs, and the event was reported once and says which.
 */

const updates = 30;

test(`${updates} updates with a power loss in each`, { timeout: 1_800_000 }, async () => {
  const server = await startTestServer();
  const platform = await servePlatform(server.url);
  const folder = await mkdtemp(join(tmpdir(), 'earshot-power-loss-'));
  onTestFinished(async () => {
    platform.stop();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const programs = buildPrograms(join(folder, 'built'));
  const home = join(folder, 'home');
  const { start } = await installAgent(home, programs.launcher, programs.agent);
  const { client, credential } = await server.admin.withKey();
  const device = await client.createDevice({ body: { deviceName: 'unlucky', deviceSerial: 'unlucky' } });
  const { accessKey, secretKey } = credential;
  const configPath = join(folder, 'agent.json');
  const config = {
    server: platform.url,
    deviceSerial: 'unlucky',
    accessKey,
    secretKey,
    folder: join(folder, 'data'),
    allow: ['Update_software'],
    updateConfirmSeconds: 20,
  };
  await writeFile(configPath, JSON.stringify(config), { mode: 0o600 });
  const agent = await readFile(programs.agent, 'utf8');
  const send = await createAnyUpdate(server, client, device.key ?? 0);

  let running = start(configPath);
  const outcomes = { kept: 0, former: 0, notTold: 0 };
  for (let update = 0; update < updates; update++) {
    const before = await readCurrent(home);
    const sha256 = platform.offer(update % 3 === 2 ? `process.exit(${update});\n` : `${agent}\n// ${update}\n`);
    const eventID = await send({ version: `1.0.${update}`, sha256 });
    await vi.waitFor(
      async () => expect((await client.getEvent({ params: { eventID } })).eventStatus).not.toBe(eventStatus.pending),
      { timeout: 60_000, interval: 20 },
    );
    await sleep(Math.random() * 3_000);
    await killAll(running);
    running = start(configPath);
    const event = await vi.waitFor(
      async () => {
        const now = await client.getEvent({ params: { eventID } });
        expect([eventStatus.complete, eventStatus.error, eventStatus.timedOut]).toContain(now.eventStatus);
        return now;
      },
      { timeout: 120_000, interval: 100 },
    );
    const current = await readCurrent(home);
    expect([before, sha256]).toContain(current);
    const history = await client.listEventHistory({ params: { eventID } });
    expect(history.filter(({ toStatus = 0 }) => toStatus >= eventStatus.complete)).toHaveLength(1);
    // Killed before the update was noted, its event is released when the agent registers again.
    if (event.eventStatus === eventStatus.timedOut) outcomes.notTold += 1;
    else if (event.eventStatus === eventStatus.complete) outcomes.kept += 1;
    else outcomes.former += 1;
    expect(current).toBe(event.eventStatus === eventStatus.complete ? sha256 : before);
  }
  const exit = once(running, 'exit');
  running.kill('SIGTERM');
  await exit;
  expect(outcomes.kept).toBeGreaterThan(0);
  expect(outcomes.former).toBeGreaterThan(0);
});
