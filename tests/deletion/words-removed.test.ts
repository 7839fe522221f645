import { personPassword } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepStart, sweepWords } from '../../server/src/features/caption-index/word-sweep.ts';
import { sweepTags } from '../../server/src/features/audio-clip/tag/sweep.ts';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { addFile } from '../../server/src/features/file/tests/uploading.ts';
import { clipIn, tusOf } from '../../server/src/features/upload/tests/tus.ts';
import { findInDatabase, findInFolder } from './find-text.ts';
import { insertAlert } from '../access/insert-rule.ts';

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

/** The log of the node is not in the data folder, but is kept by the operator. */
const findInLog = (word: string) => server.log.lines.filter((line) => JSON.stringify(line).includes(word));

/** Sweeps remove what is left a little later: bytes, tags, records of uploads. */

test('deleting a clip removes its words from every table, the data folder and the log', async () => {
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
  await session.createAudioClipTag({ params: { audioClipID }, body: { tagName: word } });
  await addPart(audioClipID, word);
  const found = await session.searchCaptions({ body: { searchText: word } });
  expect(found.total).toBe(1);
  await session.getCaptionVtt({ params: { captionID } });
  await (await session.getAudioClipContent({ params: { audioClipID } })).arrayBuffer();
  await session.getWaveform({ params: { audioClipID }, query: {} });
  await session.exportAudioClips({ body: { deviceID, startEpoch: 1_794_704_400, endEpoch: 1_794_704_401 } });
  await session.listAuditEntries({ body: {} });
  const uploaded = await uploadByTus(deviceID, `${word}.wav`, wavWithComment(word));
  // The scan finds the word where it is known to be.
  expect(await findInDatabase(server.db, word)).toEqual(
    expect.arrayContaining([
      'audio_clips.local_file_path',
      'caption_parts.segments',
      'caption_versions.transcript',
      'caption_words.word',
      'files.filename',
      'tags.tag_name',
      'uploads.metadata',
    ]),
  );
  expect(await findInFolder(server.dataDir, word)).toHaveLength(2);

  for (const key of [audioClipID, uploaded]) await session.deleteAudioClip({ params: { audioClipID: key } });
  await sweepWords(server.db, sweepStart);
  await expect.poll(() => findInDatabase(server.db, word)).toEqual([]);
  await expect.poll(() => findInFolder(server.dataDir, word)).toEqual([]);
  expect(findInLog(word)).toEqual([]);
});

/** Words of a transcription that is not finished. */
async function addPart(audioClipID: number, word: string): Promise<void> {
  await server.db`
    with run as (
      insert into caption_runs (audio_clip_id, event_id, file_id, engine_name, engine_version, heard_until_ms, holder)
      select c.key, e.key, c.file_id, 'test', '1', 1000, gen_random_uuid()
      from audio_clips c join events e on e.device_id = c.device_id
      where c.key = ${audioClipID} and e.event_status = 1 limit 1
      returning audio_clip_id, event_id)
    insert into caption_parts (audio_clip_id, event_id, until_ms, segments)
    select audio_clip_id, event_id, 1000, jsonb_build_array(${word}::text) from run`;
}

async function uploadByTus(deviceID: number, filename: string, bytes: Uint8Array<ArrayBuffer>): Promise<number> {
  const tus = tusOf(server.url, server.admin);
  const path = await tus.create(bytes.length, { filename, deviceID, startDate: '2026-11-15T01:10:00Z' });
  const response = await tus.patch(path, 0, bytes);
  expect(response.status).toBe(204);
  return clipIn(response);
}

test('a tag is kept while a clip has it', async () => {
  const { session } = server.admin;
  const { key: deviceID = 0 } = await session.createDevice({ body: { deviceSerial: 'words-2' } });
  const clips: number[] = [];
  for (const startTime of [1_794_704_400, 1_794_704_500]) {
    const { key = 0 } = await session.createAudioClip({ body: { deviceID, startTime } });
    await session.createAudioClipTag({ params: { audioClipID: key }, body: { tagName: 'vylqorreth' } });
    clips.push(key);
  }
  const isThere = async () => (await findInDatabase(server.db, 'vylqorreth')).length > 0;
  await session.deleteAudioClip({ params: { audioClipID: clips[0] ?? 0 } });
  for (let after = await sweepTags(server.db, 0); after > 0;) after = await sweepTags(server.db, after);
  expect(await isThere()).toBe(true);
  const [tag] = await session.listAudioClipTags({ params: { audioClipID: clips[1] ?? 0 } });
  await session.deleteAudioClipTag({ params: { audioClipID: clips[1] ?? 0, audioClipTagID: tag?.key ?? 0 } });
  await expect.poll(isThere).toBe(false);
});

test('a label of the engine keeps its key without clips, because saved searches name it', async () => {
  const [label] = await server.db<{ key: number }[]>`insert into tags (tag_name) values ('a label') returning key`;
  for (let after = await sweepTags(server.db, 0); after > 0;) after = await sweepTags(server.db, after);
  expect(await server.db`select key from tags where key = ${label?.key ?? 0}`).toHaveLength(1);
});

test('deleting a person removes their words from every table, the data folder and the log', async () => {
  const word = 'qwyvarntholl';
  const person = await server.addPerson({ email: `${word}@example.org` });
  const { session, userID } = person;
  await session.updateUser({ params: { userID }, body: { displayName: `Mx ${word}` } });
  await session.createSavedSearch({ body: { searchName: word, search: { searchText: word } } });
  await session.createRule({ body: { ruleName: word, when: { words: word } } });
  const { key: noteDeviceID = 0 } = await server.admin.session.createDevice({ body: { deviceSerial: 'words-5' } });
  const { key: alertID } = await insertAlert(server.db, server.admin.userID, noteDeviceID);
  await server.db`insert into alert_notes (alert_id, user_id, note) values (${alertID}, ${userID}, ${word})`;
  const { key: collectionID = 0 } = await session.createCollection({
    body: { collectionName: word, collectionDescription: word },
  });
  await session.addGroupVocabulary({ params: { collectionID }, body: { terms: [{ term: word, spokenAs: [word] }] } });
  await session.createEventPreset({ body: { eventPresetName: word, eventParameters: JSON.stringify({ note: word }) } });
  const { apiKeyID } = await person.withKey();
  await session.updateApiKey({ params: { apiKeyID }, body: { aPIKeyDescription: word } });
  await session.createUploadKey({ body: { uploadKeyDescription: word } });
  await server.admin.session.createPasswordReset({ params: { userID } });
  for (const password of [personPassword, `${word} is wrong`]) {
    await fetch(new URL('/v1/session', server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': `${word}/1.0` },
      body: JSON.stringify({ email: person.email, password }),
    });
  }
  const file = await addFile(person, new Uint8Array(Buffer.from(`about ${word}`)), { filename: `${word}.txt` });
  await session.searchCaptions({ body: { searchText: word } });
  await session.listAuditEntries({ body: {} });
  expect(await findInDatabase(server.db, word)).toEqual(
    expect.arrayContaining([
      'alert_notes.note',
      'api_keys.description',
      'collections.collection_name',
      'event_presets.event_parameters',
      'files.filename',
      'rule_versions.definition',
      'rules.definition',
      'saved_searches.search',
      'sessions.user_agent',
      'upload_keys.description',
      'users.display_name',
      'users.email',
      'vocabulary_terms.spoken_as',
    ]),
  );
  expect(await findInFolder(server.dataDir, word)).toHaveLength(1);
  // What a person owns is deleted or given away first.
  const remove = () => server.admin.session.deleteUser({ params: { userID } });
  await expect(remove()).rejects.toMatchObject({ status: 409 });
  await session.deleteFile({ params: { fileID: file.key } });
  await remove();
  expect(await findInDatabase(server.db, word)).toEqual([]);
  await expect.poll(() => findInFolder(server.dataDir, word)).toEqual([]);
  expect(findInLog(word)).toEqual([]);
});

test('deleting a device removes all that it and people said about it', async () => {
  const word = 'thrombaxquel';
  const { session } = server.admin;
  const deviceSerial = 'words-3';
  const { key: deviceID = 0 } = await session.createDevice({
    body: { deviceSerial, deviceName: word, deviceDescription: word },
  });
  const { key: agentID = 0 } = await session.registerAgent({
    body: { deviceSerial, agentType: 'Device', agentVersion: word },
  });
  await session.updateAgent({ params: { agentID }, body: { recentOutput: word } });
  await session.createLogMessage({ body: { deviceSerial, message: word } });
  await session.createDeviceHealth({ body: { deviceSerial, healthJSON: JSON.stringify({ note: word }) } });
  await session.putDeviceSetting({ params: { deviceID }, body: { settingName: word, settingValue: word } });
  const eventParameters = JSON.stringify({ note: word });
  await session.createEvent({ body: { deviceID, eventType: 'Reboot', eventParameters, tagString: word } });
  const [event] = [await session.dequeueEvent({ body: { deviceSerial, agentType: 'Device' } })];
  const report = { params: { eventID: event?.key ?? 0 }, body: { eventStatus: 4, result: word } };
  await session.reportEvent(report);
  await uploadByTus(deviceID, `${word}.wav`, wavWithComment(word));
  const { key: alertID } = await insertAlert(server.db, server.admin.userID, deviceID);
  await session.addAlertNote({ params: { alertID }, body: { note: word } });
  expect(await findInDatabase(server.db, word)).toEqual(
    expect.arrayContaining([
      'alert_notes.note',
      'agents.recent_output',
      'device_health.health_json',
      'device_settings.setting_name',
      'devices.device_description',
      'event_transitions.result',
      'events.event_parameters',
      'log_messages.message',
    ]),
  );
  await session.deleteDevice({ params: { deviceID } });
  expect(await findInDatabase(server.db, word)).toEqual([]);
  await expect.poll(() => findInFolder(server.dataDir, word)).toEqual([]);
  expect(findInLog(word)).toEqual([]);
});

// As docs/operating.md says: these have owners of their own.
test('what other records say stays: events of the device, vocabularies, searches of other people', async () => {
  const word = 'plixmorvandt';
  const { session } = server.admin;
  const { key: deviceID = 0 } = await session.createDevice({ body: { deviceSerial: 'words-4' } });
  const { key: audioClipID = 0 } = await session.createAudioClip({ body: { deviceID, startTime: 1_794_704_400 } });
  const writer = await server.addPerson({ role: 'admin' });
  const params = { captionID: audioClipID };
  await writer.session.correctCaption({ params, body: { transcript: `The ${word} is here.` } });
  const eventParameters = JSON.stringify({ note: word });
  await writer.session.createEvent({ body: { deviceID, eventType: 'Reboot', eventParameters } });
  await writer.session.addVocabulary({ body: { terms: [{ term: word }] } });
  await session.createSavedSearch({ body: { searchName: 'x', search: { searchText: word } } });
  await session.deleteAudioClip({ params: { audioClipID } });
  await session.deleteUser({ params: { userID: writer.userID } });
  await sweepWords(server.db, sweepStart);
  const kept = ['events.event_parameters', 'saved_searches.search', 'vocabulary_terms.term'];
  expect(await findInDatabase(server.db, word)).toEqual(kept);
});
