import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { curlForm } from './curl-form.ts';
import { gateways } from './gateway-requests.ts';
import { createRecorder, sound } from './recorder.ts';

const uploading = gateways.filter(({ name }) => name.startsWith('upload'));

test('uploads by the forms of recorders are counted with their bytes', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const { call, calls } = await createRecorder(server);
  const read = async () => {
    const text = await (await fetch(new URL('/metrics', server.url))).text();
    const valueOf = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1]);
    return { count: valueOf('earshot_uploads_total'), bytes: valueOf('earshot_upload_bytes_total') };
  };
  expect(uploading).toHaveLength(3);
  expect(await read()).toEqual({ count: 0, bytes: 0 });
  let bytes = 0;
  for (const [place, { path, parts }] of uploading.entries()) {
    const form = curlForm(parts({ ...call(), startTime: call().startTime + place }));
    bytes += form.body.length;
    const { status } = await fetch(new URL(path, server.url), { method: 'POST', ...form });
    expect(status).toBe(200);
    await expect.poll(read).toEqual({ count: place + 1, bytes });
  }
  expect(bytes).toBeGreaterThan(uploading.length * sound.length);
  expect(await calls()).toHaveLength(uploading.length);
  // A refused upload has used the network all the same.
  const { path, parts } = uploading[0]!;
  const refused = curlForm(parts({ ...call(), key: 'wrong' }));
  expect((await fetch(new URL(path, server.url), { method: 'POST', ...refused })).status).toBe(401);
  await expect.poll(async () => (await read()).count).toBe(uploading.length + 1);
  expect((await read()).bytes).toBeGreaterThan(bytes);
});
