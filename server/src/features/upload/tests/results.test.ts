import type { Client } from '@earshot/client/client';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, expect, test } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import type { Tus } from './tus.ts';
import { clipIn, tusOf } from './tus.ts';

/* A client that undoes its uploads must know which clips they created, also if it lost the response. */

let client: Client;
let tus: Tus;
beforeAll(async () => {
  const server = await sharedTestServer();
  const person = await server.addPerson();
  client = person.session;
  tus = tusOf(server.url, person);
});

const wav = tinyWav();
const startDate = '2026-11-15T01:10:00.250Z';
const resultIn = (response: Response) => response.headers.get('earshot-clip-result');

async function upload(metadata: Readonly<Record<string, string | number>>) {
  const path = await tus.create(wav.length, metadata);
  return { path, response: await tus.patch(path, 0, wav) };
}

test('a response with a clip says whether the upload created it, completed it or found it', async () => {
  const { deviceID, deviceSerial } = await addDevice(client);
  const announced = await client.announceAudioClip({
    params: { audioClipID: deviceSerial },
    body: { startTime: 1_700_000_000 },
  });
  const completed = await upload({ deviceID, startDate: new Date(1_700_000_000_000).toISOString() });
  expect([clipIn(completed.response), resultIn(completed.response)]).toEqual([announced.key, 'completed']);

  const created = await upload({ deviceID, startDate });
  expect(resultIn(created.response)).toBe('created');
  expect(resultIn(await tus.head(created.path))).toBe('created');

  const existing = await upload({ deviceID, startDate });
  expect(clipIn(existing.response)).toBe(clipIn(created.response));
  expect(resultIn(existing.response)).toBe('existing');
});

test('the end of a complete upload names its clip, that of an open one none', async () => {
  const { deviceID } = await addDevice(client);
  const created = await upload({ deviceID, startDate });
  const ended = await tus.send('DELETE', created.path);
  expect([ended.status, clipIn(ended), resultIn(ended)]).toEqual([204, clipIn(created.response), 'created']);
  const open = await tus.create(wav.length, { deviceID, startDate });
  const stopped = await tus.send('DELETE', open);
  expect([stopped.status, clipIn(stopped), resultIn(stopped)]).toEqual([204, Number.NaN, null]);
});

test('an end at any moment of the last bytes names the clip, or there is none', async () => {
  const { deviceID } = await addDevice(client);
  for (let round = 0; round < 12; round++) {
    const path = await tus.create(wav.length, {
      deviceID,
      startDate: new Date(1_760_000_000_000 + round * 60_000).toISOString(),
    });
    const sending = tus.patch(path, 0, wav);
    await new Promise((resolve) => setTimeout(resolve, round * 4));
    const ended = await tus.send('DELETE', path);
    const sent = await sending;
    expect(ended.status).toBe(204);
    expect(sent.status).toBeLessThan(500);
    const { results } = await client.listAudioClipPage({ body: { deviceIDList: [deviceID] } });
    const named = clipIn(ended);
    expect(results.map(({ key }) => key)).toEqual(Number.isNaN(named) ? [] : [named]);
    if (!Number.isNaN(named)) await client.deleteAudioClip({ params: { audioClipID: named } });
  }
});
