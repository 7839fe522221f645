import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createClient } from '@earshot/client/client';
import { takeHeader } from '@earshot/server/features/event/tests/fleet';
import { connect } from '@earshot/server/platform/database/connect';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { administer } from '@earshot/server/testing/database';
import { needs } from '@earshot/server/testing/needs';
import { expect, onTestFinished, test } from 'vitest';
import { adminSettings, signInAdmin } from '../process/admin.ts';
import { startExternalPostgres } from '../process/external-postgres.ts';
import { startServer, stopServer } from '../process/server-process.ts';
import { startPgBouncer } from './pgbouncer.ts';

const needed = needs('postgresql', 'pgbouncer');

test(
  'two nodes work through PgBouncer in transaction mode, with notifications on a direct connection',
  needed,
  async () => {
    const postgres = await startExternalPostgres();
    onTestFinished(() => postgres.remove());
    await administer(postgres.url('postgres'), 'create database earshot');
    const direct = postgres.url('earshot');
    const pooled = await startPgBouncer(direct);
    const settings = {
      ...adminSettings,
      EARSHOT_DATABASE_URL: pooled,
      EARSHOT_DATABASE_DIRECT_URL: direct,
      EARSHOT_SECRET_KEY: randomBytes(32).toString('base64'),
      EARSHOT_RATE_LIMIT: '0',
    };
    const scratch = await openScratch();
    const start = (name: string) => startServer({ dataDir: join(scratch, name), settings });
    const nodes = [await start('one'), await start('two')];
    const [one, two] = nodes.map(({ url }) => url) as [string, string];
    const admin = await signInAdmin(one);
    const { credential } = await admin.withKey();
    const [here, there] = [one, two].map((url) => createClient({ url, credential })) as [
      ReturnType<typeof createClient>,
      ReturnType<typeof createClient>,
    ];

    // More callers than connections to the database, each with several kinds of statements and transactions.
    const work = async (index: number) => {
      const deviceSerial = `recorder-${index}`;
      const [node, other] = index % 2 === 0 ? [here, there] : [there, here];
      const { key: deviceID = 0 } = await node.createDevice({ body: { deviceSerial } });
      // Waits at one node and is woken from the other by a notification.
      const polled = other.longPollEvents({ body: { deviceSerial, agentType: 'Device' } });
      const event = await node.createEvent({ body: { deviceID, eventType: 'Reboot' } });
      expect((await polled).map(({ key }) => key)).toEqual([event.key]);
      const headers = takeHeader(randomUUID());
      const taken = await other.dequeueEvent({ headers, body: { deviceSerial, agentType: 'Device' } });
      expect(taken?.key).toBe(event.key);
      await node.reportEvent({ params: { eventID: event.key ?? 0 }, headers, body: { eventStatus: 4 } });
      await node.announceAudioClips({
        params: { deviceSerial },
        body: Array.from({ length: 20 }, (_, clip) => ({
          startTime: 1_790_000_000 + clip * 60,
          clipLengthInSeconds: 30,
        })),
      });
      expect(await other.listAudioClips({ body: { deviceID, count: 100 } })).toHaveLength(20);
      await other.updateDevice({ params: { deviceID }, body: { deviceName: `Recorder ${index}` } });
      expect(await node.getDevice({ params: { deviceID } })).toMatchObject({
        deviceName: `Recorder ${index}`,
        online: true,
      });
    };
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 20 }, (_, index) => work(round * 20 + index)));
    }
    // A revoked key is refused by the other node at once: that needs the notifications.
    const { credential: revoked, apiKeyID } = await admin.withKey();
    const withRevoked = createClient({ url: two, credential: revoked });
    await withRevoked.listDevices({ body: {} });
    await admin.session.deleteApiKey({ params: { apiKeyID } });
    await expect(withRevoked.listDevices({ body: {} })).rejects.toMatchObject({ status: 401 });

    const db = connect(direct, { connections: 1, name: 'pooler test' });
    onTestFinished(() => db.end({ timeout: 1 }));
    const [row] = await db<{ events: number; clips: number }[]>`
    select (select count(*) from events where event_status = 4) as events, (select count(*) from audio_clips) as clips`;
    expect(row).toEqual({ events: 100, clips: 2_000 });
    for (const node of nodes) {
      expect(node.logged().filter(({ level }) => Number(level) >= 40)).toEqual([]);
      expect(await stopServer(node)).toEqual({ code: 0, signal: null });
    }
  },
);
