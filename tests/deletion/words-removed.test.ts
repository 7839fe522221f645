import { startTestServer, type TestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepStart, sweepWords } from '../../server/src/features/caption-index/word-sweep.ts';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { findInDatabase, findInFolder } from './find-text.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ fileSweepSeconds: 1 });
});
afterAll(() => server.stop());

/** A WAV with a comment (a LIST chunk after the sound). */
function wavWithComment(text: string): Uint8Array<ArrayBuffer> {
  const value = Buffer.from(`${text}${text.length % 2 === 0 ? '\0\0' : '\0'}`);
  const chunk = Buffer.alloc(20);
  chunk.write('LIST', 0, 'latin1');
  chunk.writeUInt32LE(12 + value.length, 4);
  chunk.write('INFOICMT', 8, 'latin1');
  chunk.writeUInt32LE(value.length, 16);
  const wav = Buffer.concat([tinyWav(), chunk, value]);
  wav.writeUInt32LE(wav.length - 8, 4);
  return new Uint8Array(wav);
}

test('deleting a clip removes its words from every table and from the data folder', async () => {
  const word = 'zyxquorvath';
  const { session } = server.admin;
  const device = await session.createDevice({ body: { deviceSerial: 'words-1' } });
  const deviceID = device.key ?? 0;
  const parameters = JSON.stringify({ note: word });
  const clip = await session.createAudioClip({
    body: { deviceID, startTime: 1_794_704_400, audioClipParameters: parameters, localFilePath: `/sd/${word}.wav` },
  });
  const [audioClipID, captionID] = [clip.key ?? 0, clip.key ?? 0];
  await session.putAudioClipContent({ params: { audioClipID }, body: wavWithComment(word) });
  for (const transcript of [`The ${word} is at the gate.`, `The ${word} left the gate.`]) {
    await session.correctCaption({ params: { captionID }, body: { transcript } });
  }
  const found = await session.searchCaptions({ body: { searchText: word } });
  expect(found.total).toBe(1);
  await session.getCaptionVtt({ params: { captionID } });
  await (await session.getAudioClipContent({ params: { audioClipID } })).arrayBuffer();
  await session.getWaveform({ params: { audioClipID }, query: {} });
  await session.listAuditEntries({ body: {} });
  // The scan finds the word where it is known to be.
  expect(await findInDatabase(server.db, word)).toEqual(
    expect.arrayContaining(['audio_clips.local_file_path', 'caption_versions.transcript', 'caption_words.word']),
  );
  expect(await findInFolder(server.dataDir, word)).not.toEqual([]);

  await session.deleteAudioClip({ params: { audioClipID } });
  await sweepWords(server.db, sweepStart);
  expect(await findInDatabase(server.db, word)).toEqual([]);
  // The bytes are removed by the next sweep.
  await expect.poll(() => findInFolder(server.dataDir, word), { timeout: 20_000 }).toEqual([]);
});

test('deleting a person removes their words from every table', async () => {
  const word = 'qwyvarntholl';
  const person = await server.addPerson({ email: `${word}@example.org` });
  const { session, userID } = person;
  await session.updateUser({ params: { userID }, body: { displayName: `Mx ${word}` } });
  await session.createSavedSearch({ body: { searchName: word, search: { searchText: word } } });
  await session.createCollection({ body: { collectionName: word, collectionDescription: word } });
  const { apiKeyID } = await person.withKey();
  await session.updateApiKey({ params: { apiKeyID }, body: { aPIKeyDescription: word } });
  await session.createUploadKey({ body: { uploadKeyDescription: word } });
  await server.admin.session.createPasswordReset({ params: { userID } });
  expect(await findInDatabase(server.db, word)).toEqual(
    expect.arrayContaining(['users.email', 'users.display_name', 'saved_searches.search', 'upload_keys.description']),
  );
  await server.admin.session.deleteUser({ params: { userID } });
  expect(await findInDatabase(server.db, word)).toEqual([]);
});
