import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FieldClient } from './field-client.ts';
import { createFieldClient, ok, record } from './field-client.ts';

let ask: FieldClient['ask'];
let serial: FieldClient['serial'];
let deviceID: FieldClient['deviceID'];
let nextSecond: FieldClient['nextSecond'];
let announce: FieldClient['announce'];
let uploadedFile: FieldClient['uploadedFile'];
beforeAll(async () => {
  ({ ask, serial, deviceID, nextSecond, announce, uploadedFile } = await createFieldClient());
});

describe('file', () => {
  const sHA256Hash = createHash('sha256').update('x').digest('hex');

  test('the creation gives its id and address under both names', async () => {
    const file = record(await ok(ask('POST', '/v1/file', { filename: 'a.wav', fileSize: 1, sHA256Hash })));
    expect(file).toMatchObject({ fileID: file['key'], fileLocation: file['signedURL'] });
    expect(file).not.toHaveProperty('fileInS3');
    expect(file['key']).toBeTypeOf('number');
    expect(String(file['fileLocation'])).toMatch(/^http:/);
  });

  test.each(['deviceName', 'deviceSerial', 'serialNumber'])('names its device by %s', async (name) => {
    const given = { [name]: serial, filename: 'a.wav', fileSize: 1, sHA256Hash };
    expect(record(await ok(ask('POST', '/v1/file', given)))).toMatchObject({ deviceID });
  });

  test('an available file has an address that downloads it, and no other one', async () => {
    const [fileID, otherID] = [await uploadedFile(), await uploadedFile()];
    const file = record(await ok(ask('GET', `/v1/file/${fileID}`)));
    expect(file).toMatchObject({ fileID, fileInS3: 0 });
    expect(file).not.toHaveProperty('signedURL');
    const location = String(file['fileLocation']);
    expect(await (await fetch(location)).text()).toBe('a file of no sound');
    expect((await fetch(location.replace(`/${fileID}/`, `/${otherID}/`))).status).toBe(404);
    expect((await fetch(location.replace(/signature=.*/, 'signature=AAAA'))).status).toBe(404);
    expect((await fetch(location.replace('/download', '/upload'), { method: 'PUT', body: 'x' })).status).toBe(404);
  });
});

describe('clip', () => {
  test('a length with a fraction is stored to the millisecond and shown as a whole number', async () => {
    const clip = await announce({ startTimeMs: 16, clipLengthInSeconds: 9.984 });
    expect(clip).toMatchObject({ clipLengthInSeconds: 10, endTimeMs: 0 });
    expect(Number(clip['endTime']) - Number(clip['startTime'])).toBe(10);
    const put = { clipLengthInSeconds: 2.4 };
    await ok(ask('PUT', `/v1/audioclip/${String(clip['key'])}`, put));
    const changed = record(await ok(ask('GET', `/v1/audioclip/${String(clip['key'])}`)));
    expect(changed).toMatchObject({ clipLengthInSeconds: 2, endTimeMs: 416 });
  });

  test.each([-0.5, 86_400.5, '9.984', true])('a length of %j is refused', async (clipLengthInSeconds) => {
    const given = { startTime: nextSecond(), clipLengthInSeconds };
    expect(await ask('POST', `/v1/audioclip/${serial}`, given)).toMatchObject({ status: 400 });
  });

  test('0 in endTime, fileID, tagListID and key means unset, in a creation and in a PUT', async () => {
    const unset = { endTime: 0, endTimeMs: 0, fileID: 0, tagListID: 0, key: 0 };
    const clip = await announce({ ...unset, clipLengthInSeconds: 12 });
    expect(clip).toMatchObject({ clipLengthInSeconds: 12, endTime: Number(clip['startTime']) + 12 });
    expect(clip).not.toHaveProperty('fileID');
    expect(clip).not.toHaveProperty('tagListID');
    const fileID = await uploadedFile();
    await ok(ask('PATCH', `/v1/audioclip/${String(clip['key'])}`, [{ fieldName: 'fileID', value: fileID }]));
    await ok(ask('PUT', `/v1/audioclip/${String(clip['key'])}`, { ...clip, ...unset }));
    expect(record(await ok(ask('GET', `/v1/audioclip/${String(clip['key'])}`)))).toMatchObject({
      fileID,
      clipLengthInSeconds: 12,
    });
  });

  test.each([1, 2, 3, 4, 5, 6])('a written status of %i never hides sound', async (audioClipStatus) => {
    const clip = `/v1/audioclip/${String((await announce())['key'])}`;
    await ok(ask('PATCH', clip, [{ fieldName: 'fileID', value: await uploadedFile() }]));
    await ok(ask('PATCH', clip, [{ fieldName: 'audioClipStatus', value: String(audioClipStatus) }]));
    expect(record(await ok(ask('GET', clip)))).toMatchObject({ audioClipStatus: 3 });
    await ok(ask('PUT', clip, { audioClipStatus }));
    expect(record(await ok(ask('GET', clip)))).toMatchObject({ audioClipStatus: 3 });
  });

  test.each([
    [0, 0],
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 1],
    [5, 0],
    [6, 0],
  ])('without a file, a status of %i is stored as %i', async (given, stored) => {
    expect(await announce({ audioClipStatus: given })).toMatchObject({ audioClipStatus: stored });
    const clip = `/v1/audioclip/${String((await announce())['key'])}`;
    await ok(ask('PATCH', clip, [{ op: 'replace', path: '/audioClipStatus', value: given }]));
    expect(record(await ok(ask('GET', clip)))).toMatchObject({ audioClipStatus: stored });
  });

  test.each([-1, 7])('a status of %i is refused', async (audioClipStatus) => {
    const clip = `/v1/audioclip/${String((await announce())['key'])}`;
    const patch = [{ fieldName: 'audioClipStatus', value: audioClipStatus }];
    expect(await ask('PATCH', clip, patch)).toMatchObject({ status: 400 });
  });

  test('a file and a status in one patch', async () => {
    const clip = `/v1/audioclip/${String((await announce())['key'])}`;
    const patch = [
      { fieldName: 'FileID', value: String(await uploadedFile()) },
      { fieldName: 'audioClipStatus', value: 4 },
    ];
    await ok(ask('PATCH', clip, patch));
    expect(record(await ok(ask('GET', clip)))).toMatchObject({ audioClipStatus: 3 });
  });
});
