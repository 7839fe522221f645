import type { Client } from '@earshot/client/client';
import type { CaptionEngine } from '@earshot/server/platform/listening/engine';
import { ListeningFailed } from '@earshot/server/platform/listening/engine';
import type { TestServer } from '@earshot/server/testing/server';
import { noCaptions, startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addRecorder, captionOf, eventually } from '../../server/src/features/caption/tests/captioning.ts';
import { createTestEars } from '../../server/src/features/caption/tests/test-engines.ts';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { trunkRecorderCall } from './curl-form.ts';
import { createRecorder, rdio } from './recorder.ts';

/* Which clips get a third listen: an engine with the version `1+third` takes the place of the one that makes it. */

const engines = createTestEars();
const withThird: CaptionEngine = { ...engines.captions, identity: { name: 'counter', version: '1+third' } };
const captionAs: CaptionEngine['caption'] = async (...clip) => ({
  ...(await engines.captions.caption(...clip)),
  engine: withThird.identity,
});
Object.assign(engines.captions, { thirdListen: 'radio', forRadio: { ...withThird, caption: captionAs } });

let server: TestServer;
let client: Client;
beforeAll(async () => {
  server = await startTestServer({ captions: { ...noCaptions, kind: 'moonshine' } }, { engines });
  client = (await (await server.addPerson()).withKey()).client;
});
afterAll(() => server.stop());
beforeEach(() => {
  engines.before = () => {};
});

const versionOf = async (audioClipID: number): Promise<string | undefined> =>
  (await captionOf(client, audioClipID)).engineVersion;

async function addRadio() {
  const recorder = await addRecorder(client);
  await client.updateDevice({ params: recorder, body: { isRadio: true } });
  return recorder;
}

/** An event that waits since the given time, and will not be taken. */
async function addWaiting({ minutes, priority }: { readonly minutes: number; readonly priority: number }) {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let begun = 0;
  engines.before = () => {
    begun += 1;
    return released;
  };
  const other = await addRecorder(client);
  // As many new clips as this worker works on at once: the next one waits.
  for (let clip = 0; clip < 2; clip++) await other.add(tinyWav(1));
  await eventually(() => expect(begun).toBe(2));
  await other.add(tinyWav(1));
  await server.db`
    update events set creation_date = now() - make_interval(mins => ${minutes}), priority = ${priority},
      ready_date = now() + interval '1 hour'
    where device_id = ${other.deviceID} and event_status = 1`;
  release();
  return { end: () => client.deleteDevice({ params: other }) };
}

test('a device whose owner says that it records radio gets a third listen, from the next clip on', async () => {
  const recorder = await addRecorder(client);
  const params = { deviceID: recorder.deviceID };
  expect(await client.getDevice({ params })).toMatchObject({ isRadio: false });
  expect(await versionOf(await recorder.add(tinyWav(1)))).toBe('1');
  await client.updateDevice({ params, body: { isRadio: true } });
  expect(await client.getDevice({ params })).toMatchObject({ isRadio: true });
  expect(await versionOf(await recorder.add(tinyWav(1)))).toBe('1+third');
  await client.updateDevice({ params, body: { isRadio: false } });
  expect(await versionOf(await recorder.add(tinyWav(1)))).toBe('1');
  const created = await client.createDevice({ body: { deviceSerial: 'a-scanner', isRadio: true } });
  expect(created).toMatchObject({ isRadio: true });
});

test('a call from a recorder of radio calls gets a third listen without being told', async () => {
  const { owner, call, calls, post } = await createRecorder(server);
  await post(rdio, trunkRecorderCall(call({ sound: tinyWav(2) })));
  const [clip] = await calls();
  expect(await captionOf(owner.session, clip?.key ?? 0)).toMatchObject({ engineVersion: '1+third' });
});

test('the third listen pauses while a new clip has waited for more than ten minutes', async () => {
  const waiting = await addWaiting({ minutes: 11, priority: 1 });
  const radio = await addRadio();
  expect(await client.getCaptionProgress()).toMatchObject({ thirdListen: 'paused' });
  expect(await versionOf(await radio.add(tinyWav(1)))).toBe('1');
  await waiting.end();
  expect(await client.getCaptionProgress()).toMatchObject({ thirdListen: 'radio' });
  expect(await versionOf(await radio.add(tinyWav(1)))).toBe('1+third');
});

test.each([
  ['a new clip that has waited for nine minutes', { minutes: 9, priority: 1 }],
  ['a bulk request that has waited for an hour', { minutes: 60, priority: 0 }],
])('%s does not pause the third listen', async (_, event) => {
  const waiting = await addWaiting(event);
  const radio = await addRadio();
  expect(await client.getCaptionProgress()).toMatchObject({ thirdListen: 'radio' });
  expect(await versionOf(await radio.add(tinyWav(1)))).toBe('1+third');
  await waiting.end();
});

test('a clip that has begun is continued as it began', async () => {
  const waiting = await addWaiting({ minutes: 11, priority: 1 });
  const radio = await addRadio();
  const clipID = await radio.announce();
  const continued = new Promise<void>((resolve) => {
    engines.before = async () => {
      // Words of an earlier attempt, of the engine with a third listen.
      await server.db`
        insert into caption_runs (audio_clip_id, event_id, file_id, engine_name, engine_version, heard_until_ms, holder)
        select ${clipID}, e.key, c.file_id, 'counter', '1+third', 0, gen_random_uuid()
        from audio_clips c, events e where c.key = ${clipID} and e.device_id = ${radio.deviceID}
          and e.event_status in (2, 3) on conflict do nothing`;
      engines.before = () => {};
      resolve();
      throw new ListeningFailed('the process is gone');
    };
  });
  await radio.put(clipID, tinyWav(1));
  await continued;
  expect(await versionOf(clipID)).toBe('1+third');
  await waiting.end();
});
