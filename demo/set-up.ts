import type { Client } from '@earshot/client/client';
import type { DemoState } from './state.ts';
import { recorderStories } from './stories.ts';

const harbour = ['demo-ferry-pier', 'demo-lighthouse', 'demo-north-gate'];

/** A `fetch` in the web session of the demo's account. */
export async function openDemoSession(url: string, { email, password }: DemoState): Promise<typeof fetch> {
  const response = await fetch(new URL('/v1/session', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`The demo could not sign in: ${await response.text()}`);
  await response.arrayBuffer();
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
  return (address, init) => {
    const headers = new Headers(init?.headers);
    headers.set('cookie', cookie);
    return fetch(address, { ...init, headers });
  };
}

/** Adds the devices with their keys, a group of some of them, and the upload key of the radio recorders. */
export async function addRecorders(session: Client, state: DemoState, save: () => Promise<void>): Promise<void> {
  for (const { serial, name } of recorderStories) {
    if (state.recorders[serial]) continue;
    const body = { deviceSerial: serial, deviceName: name, deviceDescription: 'A simulated device of the demo' };
    const { key: deviceID = 0 } = await session.createDevice({ body }).catch(
      // Added by a run that was killed before it was noted.
      () => session.findDeviceByName({ body: { deviceSerial: serial } }),
    );
    const { accessKey = '', secretKey = '' } = await session.createDeviceKey({
      params: { deviceID },
      body: { isWriteOnly: true },
    });
    state.recorders[serial] = { deviceID, accessKey, secretKey, recordings: [] };
    await save();
  }
  if (state.uploadKey !== undefined) return;
  const collection = await session.createCollection({ body: { collectionName: 'Harbour' } });
  for (const serial of harbour) {
    await session.addCollectionItem({
      params: { collectionItemID: collection.key ?? 0 },
      body: { itemType: 'device', itemID: state.recorders[serial]?.deviceID ?? 0 },
    });
  }
  const made = await session.createUploadKey({ body: { uploadKeyDescription: 'Radio recorders of the demo' } });
  state.uploadKey = made.secret ?? '';
  await save();
}
