import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sweepOldClips } from '../../audio-clip/retention/retention.ts';
import { removeCaptions } from '../../caption/former-queries.ts';
import type { Recorder } from '../../caption/tests/captioning.ts';
import { addRecorder, captionOf, endedEvents } from '../../caption/tests/captioning.ts';
import { refusedWith } from '../../event/tests/fleet.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import { createMeasuringEars, factsOf, readFacts, startMeasuring } from './measuring.ts';

const ears = createMeasuringEars();
let server: TestServer;
let client: Client;
let recorder: Recorder;
beforeAll(async () => {
  server = await startMeasuring(ears);
  client = (await server.addPerson()).session;
});
afterAll(() => server.stop());
beforeEach(async () => {
  ears.measured.length = 0;
  ears.labelled = [];
  ears.beforeSpeech = () => {};
  recorder = await addRecorder(client, false);
});

const setFile = (audioClipID: number, value: number | null) =>
  client.patchAudioClip({ params: { audioClipID }, body: [{ fieldName: 'fileID', value }] });
/** Lets another attempt begin without waiting. */
const letRetry = () => server.db`update clips_to_measure set held_until = now() where held_until is not null`;

/** A gate that a test opens. */
function gate(): { readonly isReached: Promise<void>; open: () => void; readonly wait: () => Promise<void> } {
  let reach = () => {};
  let open = () => {};
  const isReached = new Promise<void>((resolve) => (reach = resolve));
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  return {
    isReached,
    open: () => open(),
    wait: () => {
      reach();
      return isOpen;
    },
  };
}

test('a clip that is not captioned is measured, and only who may read it reads its facts', async () => {
  const clipID = await recorder.add(tinyWav(1));
  expect(await factsOf(client, clipID)).toEqual({
    audioClipID: clipID,
    measuredDate: expect.any(String),
    soundMs: 1000,
    levelDb: -9.24,
    peakDb: -6.23,
    clippedPercent: 0,
    isDigitalSilence: false,
    // A tone of 440 Hz is the same after 25 ms, at 8 kHz.
    repeatedSeconds: 0.975,
    speechSeconds: 0.5,
  });
  const stranger = (await server.addPerson()).session;
  await expect(readFacts(stranger, clipID)).rejects.toEqual(refusedWith(404));
  const announced = await recorder.announce();
  expect(await readFacts(client, announced)).toEqual({ audioClipID: announced });
});

test('captioning measures the sound that it reads, and nothing else does', async () => {
  recorder = await addRecorder(client);
  ears.labelled = [{ name: 'wind', confidence: 80, startMs: 0, endMs: 500 }];
  const clipID = await recorder.add(tinyWav(2));
  await captionOf(client, clipID);
  await endedEvents(client, recorder.deviceID);
  expect(await factsOf(client, clipID)).toMatchObject({ soundMs: 2000, levelDb: -9.24 });
  expect(ears.measured).toEqual([]);
  expect(await server.db`select 1 from clips_to_measure where audio_clip_id = ${clipID}`).toEqual([]);
});

test('other sound has other facts, and a clip without sound has none', async () => {
  const clipID = await recorder.add(tinyWav(1));
  const { fileID = 0 } = await client.getAudioClip({ params: { audioClipID: clipID } });
  await factsOf(client, clipID);
  const held = gate();
  ears.beforeSpeech = held.wait;
  await recorder.put(clipID, tinyWav(2));
  await held.isReached;
  expect(await readFacts(client, clipID)).toEqual({ audioClipID: clipID });
  held.open();
  expect(await factsOf(client, clipID)).toMatchObject({ soundMs: 2000 });
  await setFile(clipID, null);
  expect(await readFacts(client, clipID)).toEqual({ audioClipID: clipID });
  await setFile(clipID, fileID);
  expect(await factsOf(client, clipID)).toMatchObject({ soundMs: 1000 });
});

test('a clip whose sound is replaced while it is measured gets the facts of the new sound', async () => {
  const held = gate();
  ears.beforeSpeech = held.wait;
  const clipID = await recorder.add(tinyWav(1));
  await held.isReached;
  await recorder.put(clipID, tinyWav(3));
  held.open();
  expect(await factsOf(client, clipID)).toMatchObject({ soundMs: 3000 });
  expect(ears.measured).toEqual([1000, 3000]);
});

test('a clip that is removed while it is measured leaves nothing', async () => {
  const held = gate();
  ears.beforeSpeech = held.wait;
  const clipID = await recorder.add(tinyWav(1));
  await held.isReached;
  await client.deleteAudioClip({ params: { audioClipID: clipID } });
  held.open();
  const left = () => server.db`
    select audio_clip_id from clips_to_measure where audio_clip_id = ${clipID}
    union all select audio_clip_id from clip_facts where audio_clip_id = ${clipID}`;
  await expect.poll(left).toEqual([]);
});

test('facts stay when retention removes the sound, and go when other sound comes', async () => {
  const clipID = await recorder.add(tinyWav(1));
  const facts = await factsOf(client, clipID);
  await client.updateDevice({ params: { deviceID: recorder.deviceID }, body: { retentionDays: 1 } });
  // It ended a day and a half ago: its sound expires, and its row not yet.
  await server.db`
    update audio_clips set start_ms = (extract(epoch from now()) * 1000)::bigint - 129600000,
      end_ms = (extract(epoch from now()) * 1000)::bigint - 129599000 where key = ${clipID}`;
  await sweepOldClips({ db: server.db, versionDays: 30, removeCaptions });
  expect((await client.getAudioClip({ params: { audioClipID: clipID } })).audioClipStatus).toBe(5);
  expect(await readFacts(client, clipID)).toEqual(facts);
  const held = gate();
  ears.beforeSpeech = held.wait;
  await recorder.put(clipID, tinyWav(2));
  await held.isReached;
  expect(await readFacts(client, clipID)).toEqual({ audioClipID: clipID });
  held.open();
  expect(await factsOf(client, clipID)).toMatchObject({ soundMs: 2000 });
});

test('sound that cannot be read is tried three times and then has no facts, but a fault', async () => {
  const clipID = await recorder.add(tinyWav(1));
  await factsOf(client, clipID);
  // As if the store had lost it.
  await server.db`
    update files set storage_name = gen_random_uuid()
    where key = (select file_id from audio_clips where key = ${clipID})`;
  await server.db`
    with gone as (delete from clip_facts where audio_clip_id = ${clipID})
    insert into clips_to_measure (audio_clip_id, due_date) values (${clipID}, now())`;
  const attemptsOf = async () =>
    (await server.db<{ attempts: number }[]>`select attempts from clips_to_measure where audio_clip_id = ${clipID}`)[0]
      ?.attempts;
  for (const attempts of [1, 2]) {
    await expect.poll(attemptsOf).toBe(attempts);
    expect(await readFacts(client, clipID)).toEqual({ audioClipID: clipID });
    await letRetry();
  }
  expect(await factsOf(client, clipID)).toEqual({
    audioClipID: clipID,
    measuredDate: expect.any(String),
    fault: 'The sound is missing in storage.',
  });
});

test('two nodes measure each clip once', async () => {
  await server.addNode();
  const clips: number[] = [];
  for (let at = 0; at < 12; at += 1) clips.push(await recorder.add(tinyWav(0.1 + at / 10)));
  for (const clipID of clips) await factsOf(client, clipID);
  expect(ears.measured.toSorted((a, b) => a - b)).toEqual(clips.map((_, at) => 100 * (at + 1)));
});

test('what a node held that died is measured by another one when its time is over', async () => {
  recorder = await addRecorder(client, false);
  const clipID = await recorder.announce();
  await server.db`
    insert into clips_to_measure (audio_clip_id, due_date, held_until, attempts)
    values (${clipID}, now(), now() + interval '2 minutes', 1)`;
  const other = await recorder.add(tinyWav(0.5));
  await factsOf(client, other);
  expect(await server.db`select attempts from clips_to_measure where audio_clip_id = ${clipID}`).toEqual([
    { attempts: 1 },
  ]);
  await letRetry();
  await expect.poll(() => server.db`select 1 from clips_to_measure where audio_clip_id = ${clipID}`).toEqual([]);
});
