import { createClient } from '@earshot/client/client';
import type { AudioClip } from '@earshot/contract/audio-clip';
import { latestEpoch } from '@earshot/contract/values';
import type { Storage } from '@earshot/server/platform/storage/storage';
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { addCollection, addDevice, statusOf } from '../../../../../tests/access/places.ts';
import { describeBothKinds } from './both-kinds.ts';
import { sha256, tinyWav } from './sound.ts';
import { addFile, putChunked, stored } from './uploading.ts';

const page = new TextEncoder().encode('<!doctype html><script>alert(1)</script>');
let start = 1_794_700_000;

describeBothKinds('the sound of a clip', (world) => {
  const session = () => world().server.admin.session;

  async function addClip(more: object = {}): Promise<AudioClip & { key: number }> {
    const { key: deviceID } = await addDevice(world().server.admin);
    const clip = await session().createAudioClip({ body: { deviceID, startTime: (start += 100), ...more } });
    return { ...clip, key: clip.key ?? 0 };
  }
  const put = ({ key }: { key: number }, body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>) =>
    session().putAudioClipContent({ params: { audioClipID: key }, body });
  const play = async ({ key }: { key: number }, headers = {}) =>
    session().getAudioClipContent({ params: { audioClipID: key }, headers });
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

  test('is uploaded in one request, which sets the unknown values', async () => {
    const clip = await addClip();
    const sound = tinyWav(2.5);
    expect(await statusOf(play(clip))).toBe(409);
    const changed = await put(clip, sound);
    expect(changed).toMatchObject({
      key: clip.key,
      audioClipStatus: 3,
      fileSize: sound.length,
      bitrate: 128_000,
      startTime: clip.startTime,
      endTime: (clip.startTime ?? 0) + 2,
      endTimeMs: 500,
      clipLengthInSeconds: 3,
    });
    expect(await session().getAudioClip({ params: { audioClipID: clip.key } })).toEqual(changed);
    const played = await play(clip);
    expect(played.headers.get('content-type')).toBe('audio/wav');
    expect(played.headers.get('etag')).toBe(`"${sha256(sound)}"`);
    expect((await bytesOf(played)).equals(sound)).toBe(true);
    const file = await session().getFile({ params: { fileID: changed.fileID ?? 0 } });
    expect(file).toMatchObject({ fileStatus: 1, deviceID: clip.deviceID, sHA256Hash: sha256(sound) });
  });

  test('ends no later than the latest time of the API', async () => {
    const clip = await addClip({ startTime: latestEpoch, startTimeMs: 800 });
    expect(await put(clip, tinyWav(2.5))).toMatchObject({ endTime: latestEpoch, endTimeMs: 999 });
  });

  test('supports range requests', async () => {
    const clip = await addClip();
    const sound = tinyWav(3);
    await put(clip, sound);
    const part = await play(clip, { range: 'bytes=10000-10099' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10000-10099/${sound.length}`]);
    expect((await bytesOf(part)).equals(sound.subarray(10_000, 10_100))).toBe(true);
  });

  test('does not change an announced length and bitrate', async () => {
    const clip = await addClip({ clipLengthInSeconds: 60, bitrate: 64_000 });
    expect(await put(clip, tinyWav(1))).toMatchObject({ clipLengthInSeconds: 60, bitrate: 64_000 });
  });

  test('replaces the former sound, whose file becomes a version that others do not see', async () => {
    const clip = await addClip();
    const first = await put(clip, tinyWav(1));
    const second = await put(clip, tinyWav(2));
    expect(second.fileID).not.toBe(first.fileID);
    expect((await bytesOf(await play(clip))).length).toBe(tinyWav(2).length);
    const params = { audioClipID: clip.key };
    const [version] = await session().listAudioClipVersions({ params });
    expect(version).toMatchObject({ sHA256Hash: sha256(tinyWav(1)), fileSize: tinyWav(1).length, durationMs: 1000 });
    const ofVersion = { ...params, audioClipVersionID: version?.key ?? 0 };
    const former = await session().getAudioClipVersionContent({ params: ofVersion });
    expect((await bytesOf(former)).equals(tinyWav(1))).toBe(true);
    await session().deleteAudioClipVersion({ params: ofVersion });
    expect(await statusOf(session().getFile({ params: { fileID: first.fileID ?? 0 } }))).toBe(404);
  });

  test('keeps a replaced file that is used elsewhere', async () => {
    const clip = await addClip();
    const first = await put(clip, tinyWav(1));
    const collectionID = await addCollection(world().server.admin);
    const item = { itemType: 'file' as const, itemID: first.fileID ?? 0 };
    await session().addCollectionItem({ params: { collectionItemID: collectionID }, body: item });
    await put(clip, tinyWav(2));
    expect(await statusOf(session().getFile({ params: { fileID: first.fileID ?? 0 } }))).toBe(200);
  });

  test('that is not sound gets 415, and nothing is stored', async () => {
    const clip = await addClip();
    const before = await stored(world().storage);
    const countFiles = () => world().server.db<{ count: number }[]>`select count(*) from files`;
    const files = await countFiles();
    const noise = new Uint8Array(randomBytes(300_000)).fill(0, 0, 70_000);
    const cutWav = tinyWav(1).subarray(0, 20);
    for (const wrong of [page, new Uint8Array(0), noise, cutWav]) {
      expect(await statusOf(put(clip, wrong))).toBe(415);
    }
    expect(await stored(world().storage)).toEqual(before);
    expect(await countFiles()).toEqual(files);
    expect(await session().getAudioClip({ params: { audioClipID: clip.key } })).toMatchObject({ audioClipStatus: 0 });
  });

  test('may be sent without its length, and signed', async () => {
    const { server } = world();
    const clip = await addClip();
    const sound = tinyWav(1.5);
    const url = new URL(`/v1/audioclip/${clip.key}/content`, server.url).href;
    expect(await putChunked(url, sound, { cookie: server.admin.cookie })).toBe(200);
    const { credential } = await server.admin.withKey({ signed: true });
    const signed = createClient({ url: server.url, credential });
    const params = { audioClipID: clip.key };
    expect(await signed.putAudioClipContent({ params, body: tinyWav(2) })).toMatchObject({ audioClipStatus: 3 });
    const stream = new Blob([tinyWav(1)]).stream();
    expect(await signed.putAudioClipContent({ params, body: stream })).toMatchObject({ audioClipStatus: 3 });
    expect((await bytesOf(await signed.getAudioClipContent({ params }))).equals(tinyWav(1))).toBe(true);
  });

  test('signed with more than 16 MiB is refused with advice', async () => {
    const { server } = world();
    const clip = await addClip();
    const { credential } = await server.admin.withKey({ signed: true });
    const signed = createClient({ url: server.url, credential });
    const large = tinyWav(1100);
    expect(large.length).toBeGreaterThan(16 * 1_048_576);
    const refused = signed.putAudioClipContent({ params: { audioClipID: clip.key }, body: large });
    await expect(refused).rejects.toMatchObject({ status: 413, message: expect.stringContaining('POST /v1/file') });
    // Without a signature the server need not wait for the whole body.
    const { client } = await server.admin.withKey();
    expect(await statusOf(client.putAudioClipContent({ params: { audioClipID: clip.key }, body: large }))).toBe(200);
  });

  test('whose signature is for other bytes is refused, and nothing is stored', async () => {
    const { server } = world();
    const clip = await addClip();
    const before = await stored(world().storage);
    const { credential } = await server.admin.withKey({ signed: true });
    // Bytes that are not valid text; decoding them would make both bodies equal.
    const exchanged: typeof fetch = (input, init) =>
      fetch(input, { ...init, body: new Uint8Array(init?.body as Uint8Array<ArrayBuffer>).with(1000, 0xfe) });
    const client = createClient({ url: server.url, credential, fetch: exchanged });
    const sound = tinyWav(1).with(1000, 0xff);
    expect(await statusOf(client.putAudioClipContent({ params: { audioClipID: clip.key }, body: sound }))).toBe(401);
    expect(await stored(world().storage)).toEqual(before);
  });

  test('is available after an uploaded file is set', async () => {
    const clip = await addClip();
    const sound = tinyWav(1);
    const device = await session().getDevice({ params: { deviceID: clip.deviceID ?? 0 } });
    const file = await addFile(world().server.admin, sound, { deviceSerial: device.deviceSerial ?? '' });
    const patch = [
      { fieldName: 'fileID', value: file.key },
      { fieldName: 'audioClipStatus', value: 3 },
    ];
    await session().patchAudioClip({ params: { audioClipID: clip.key }, body: patch });
    expect((await bytesOf(await play(clip))).equals(sound)).toBe(true);
    expect(await statusOf(session().deleteFile({ params: { fileID: file.key } }))).toBe(409);
  });

  test('that is missing in the storage gets a clear error, and is logged', async () => {
    const clip = await addClip();
    const { fileID = 0 } = await put(clip, tinyWav(1));
    const [row] = await world().server.db<
      { name: string }[]
    >`select storage_name as name from files where key = ${fileID}`;
    await world().storage.remove(row?.name ?? '');
    await expect(play(clip)).rejects.toMatchObject({ status: 409, message: expect.stringContaining('missing') });
    expect(await statusOf(session().getWaveform({ params: { audioClipID: clip.key } }))).toBe(409);
    const errors = world().server.log.lines.filter(({ level }) => level === 'error');
    expect(errors.map(({ message }) => message)).toContain('storage failed');
  });

  describe('drawn', () => {
    const draw = ({ key }: { key: number }, points?: number) =>
      session().getWaveform({ params: { audioClipID: key }, ...(points ? { query: { points } } : {}) });

    test('has the waveform of the sound, which is computed once and stored', async () => {
      const clip = await addClip();
      const before = await peaksIn(world().storage);
      expect(await statusOf(draw(clip))).toBe(409);
      await put(clip, tinyWav(2, 100));
      const [waveform, again] = await Promise.all([draw(clip), draw(clip)]);
      expect(again).toEqual(waveform);
      expect(waveform).toMatchObject({ audioClipID: clip.key, durationMs: 2000, pointsPerSecond: 100 });
      expect(waveform.peaks).toHaveLength(2 * 200);
      // A tone of amplitude 16,000 of 32,768, with a whole period in each point.
      expect(new Set(waveform.peaks.map(Math.abs))).toEqual(new Set([62]));
      expect(await peaksIn(world().storage)).toBe(before + 1);
      expect(await draw(clip)).toEqual(waveform);
      expect(await peaksIn(world().storage)).toBe(before + 1);
    });

    test('with fewer points combines the stored points', async () => {
      const clip = await addClip();
      await put(clip, tinyWav(2, 100));
      const few = await draw(clip, 7);
      expect(few.peaks).toHaveLength(14);
      expect(few.pointsPerSecond).toBeCloseTo(3.5);
      expect(few.peaks.filter((_, index) => index % 2 === 0)).toEqual(Array.from({ length: 7 }, () => -62));
      expect(await statusOf(draw(clip, 20_001))).toBe(400);
    });
  });
});

async function peaksIn(storage: Storage): Promise<number> {
  return (await stored(storage)).filter((name) => name.endsWith('-peaks')).length;
}
