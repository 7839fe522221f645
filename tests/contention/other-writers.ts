import { sweepHealth } from '@earshot/server/features/device-health/rules';
import { sweepLines } from '@earshot/server/features/log-message/rules';
import { sweepTags } from '@earshot/server/features/audio-clip/tag/sweep';
import { sweepOldClips } from '@earshot/server/features/audio-clip/retention/retention';
import { removeCaptions } from '@earshot/server/features/caption/former-queries';
import { recordKeyUse } from '@earshot/server/features/api-key/queries';
import { recordSessionUse, sweepSessions } from '@earshot/server/features/session/queries';
import { sweepPostbacks } from '@earshot/server/features/event/postback/retention';
import { removeUploadsWithoutClip } from '@earshot/server/features/upload/queries';
import { endLeases, expire } from '@earshot/server/features/event/transition/queries';
import { gateways, sendTo } from '../field/gateway-requests.ts';
import { recordOfflineDevices } from '@earshot/server/features/device/public';
import type { Pool } from '@earshot/server/platform/database/connect';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import type { Records } from './records.ts';
import { uploadSecret } from './records.ts';
import type { Writer } from './writers.ts';

/** Programs that use an upload key. Every other caller sends the same call. */
const writingGateways = gateways.filter(({ method }) => method !== 'GET');
const gatewayWriters: readonly Writer[] = writingGateways.map((gateway) => ({
  name: gateway.name,
  kinds: new Set(['device', 'uploadkey'] as const),
  removes: false,
  async act(scene, { deviceSerial }, caller) {
    const url = scene.urls[caller % scene.urls.length] ?? '';
    const response = await sendTo(gateway, url, {
      key: uploadSecret(deviceSerial),
      sound: tinyWav(),
      startTime: 1_794_704_600,
      talkgroup: 1 + (caller % 2),
    });
    const text = await response.text();
    return { writer: gateway.name, status: response.status, text, json: undefined, wrote: undefined };
  },
}));

/** Background work of nodes on the same records. */
const platformWork: Readonly<Record<string, (db: Pool, records: Records, caller: number) => Promise<unknown>>> = {
  'leases end': async (db, { keys }, caller) => {
    const key = keys.event[caller % 4] ?? 0;
    await db`update events set lease_end_date = now() - interval '1 second' where key = ${key} and event_status in (2, 3)`;
    await endLeases(db, { leaseSeconds: 300, retrySeconds: 1 }, 500);
  },
  'events expire': async (db, { keys }, caller) => {
    const key = keys.event[caller % keys.event.length] ?? 0;
    await db`update events set expiration_epoch = 1 where key = ${key} and event_status in (1, 2, 3)`;
    await expire(db, 500);
  },
  'clips expire': async (db, { deviceID }) => {
    await db`update devices set retention_days = 0 where key = ${deviceID}`;
    await db`update audio_clips set start_ms = start_ms - 600000000000, end_ms = end_ms - 600000000000
      where key = (select max(key) from audio_clips where device_id = ${deviceID})`.catch(() => {});
    await sweepOldClips({ db, versionDays: 30, removeCaptions });
  },
  'health reports and log lines expire': async (db, { deviceID }) => {
    await db`
      update device_health set health_date = now() - interval '40 days'
      where key = (select max(key) from device_health where device_id = ${deviceID})`;
    await sweepHealth(db, 30);
    await db`
      update log_messages set message_date = now() - interval '40 days'
      where key = (select max(key) from log_messages where device_id = ${deviceID})`;
    await sweepLines(db, 30);
  },
  'tags and uploads of removed clips are swept': async (db) => {
    await sweepTags(db, 0);
    await removeUploadsWithoutClip(db, 0, 1_000);
    await sweepPostbacks(db, 0);
  },
  'devices fall silent': async (db, { deviceID }) => {
    await db`update online_devices set until = now() - interval '1 second' where device_id = ${deviceID}`;
    await recordOfflineDevices(db, 500);
  },
  'credentials are noted and swept': async (db, { keys }) => {
    const used = { apiKeyIDs: keys.apikey.toReversed(), sessionIDs: keys.session.toReversed() };
    await recordKeyUse(db, used);
    await recordSessionUse(db, used);
    await sweepSessions(db);
  },
};

const platformWriters: readonly Writer[] = Object.entries(platformWork).map(([name, work]) => ({
  name,
  kinds: new Set(),
  removes: false,
  async act({ db }, records, caller) {
    const failure = await work(db, records, caller).then(
      () => undefined,
      (error: unknown) => String(error),
    );
    return { writer: name, status: failure ? 500 : 200, text: failure ?? '', json: undefined, wrote: undefined };
  },
}));

/** Writers that are no operations of the contract. */
export const otherWriters: readonly Writer[] = [...gatewayWriters, ...platformWriters];
