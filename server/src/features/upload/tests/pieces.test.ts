import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';
import { describeBothKinds } from '../../file/tests/both-kinds.ts';
import { sha256, tinyWav } from '../../file/tests/sound.ts';
import { stored } from '../../file/tests/uploading.ts';
import { clipIn, offsetIn, tusOf } from './tus.ts';

/* Pieces of any size, with files in a folder and in an object store. */

const startDate = '2026-11-15T01:10:00Z';

describeBothKinds('an upload in pieces', (world) => {
  const tus = () => tusOf(world().server.url, world().server.admin);
  const addOwnDevice = () => addDevice(world().server.admin.session);

  test.each([
    ['a small recording in small pieces', tinyWav(), 1000],
    ['a recording of more than one part', tinyWav(600), 2_000_003],
  ])('%s becomes a clip', async (_name, wav, pieceBytes) => {
    const { deviceID } = await addOwnDevice();
    const path = await tus().create(wav.length, { deviceID, startDate, sha256: sha256(wav) });
    for (let offset = 0; offset < wav.length;) {
      const response = await tus().patch(path, offset, wav.slice(offset, offset + pieceBytes));
      const next = Math.min(offset + pieceBytes, wav.length);
      expect([response.status, offsetIn(response)]).toEqual([204, next]);
      expect(offsetIn(await tus().head(path))).toBe(next);
      offset = next;
    }
    const audioClipID = clipIn(await tus().head(path));
    const content = await world().server.admin.session.getAudioClipContent({ params: { audioClipID } });
    expect(sha256(new Uint8Array(await content.arrayBuffer()))).toBe(sha256(wav));
  });

  test('keeps what arrived of a piece that was cut, or at least tells the truth', async () => {
    const { deviceID } = await addOwnDevice();
    const wav = tinyWav();
    const path = await tus().create(wav.length, { deviceID, startDate });
    expect(offsetIn(await tus().patch(path, 0, wav.slice(0, 1000)))).toBe(1000);
    const cut = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(wav.slice(1000, 3000));
        setTimeout(() => controller.error(new Error('cut')), 200);
      },
    });
    await expect(tus().stream(path, 1000, cut)).rejects.toThrow();
    // The server may not have noticed the disconnect yet.
    await vi.waitUntil(async () => offsetIn(await tus().head(path)) === 3000);
    expect((await tus().patch(path, 3000, wav.slice(3000))).status).toBe(204);
  });

  test('that is ended leaves nothing in the store', async () => {
    const before = await stored(world().storage);
    const { deviceID } = await addOwnDevice();
    const path = await tus().create(20_000_000, { deviceID, startDate });
    const begun = Buffer.concat([tinyWav().slice(0, 44), randomBytes(99_956)]);
    expect((await tus().patch(path, 0, new Uint8Array(begun))).status).toBe(204);
    expect((await tus().patch(path, 100_000, new Uint8Array(5))).status).toBe(204);
    expect(await stored(world().storage)).not.toEqual(before);
    expect((await tus().send('DELETE', path)).status).toBe(204);
    expect(await stored(world().storage)).toEqual(before);
  });
});
