import type { Client } from '@earshot/client/client';
import type { CaptionCorrection } from '@earshot/contract/caption';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { statusOf } from '../../../../../tests/access/places.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import type { Recorder } from './captioning.ts';
import { addRecorder, captionOf, endedEvents, findCaption, resultOf } from './captioning.ts';
import { createTestEars } from './test-engines.ts';

const engines = createTestEars();
let server: TestServer;
let client: Client;
let userID: number;
let recorder: Recorder;
let captionID: number;
beforeAll(async () => {
  server = await startTestServer({}, { engines });
  const person = await server.addPerson();
  userID = person.userID;
  client = (await person.withKey()).client;
});
afterAll(() => server.stop());
beforeEach(async () => {
  engines.placed.length = 0;
  engines.expected.length = 0;
  engines.version = '1';
  engines.givesTimes = true;
  recorder = await addRecorder(client);
  captionID = await recorder.add(tinyWav(4));
  await captionOf(client, captionID);
});

const correct = (body: CaptionCorrection) => client.correctCaption({ params: { captionID }, body });
const versions = () => client.listCaptionVersions({ params: { captionID } });
const timesOf = async () =>
  (await captionOf(client, captionID)).segments.flatMap(({ words }) =>
    words.map(({ text, startMs, endMs }) => [text, startMs, endMs]),
  );
const recaption = async () => {
  await client.captionAudio({ params: recorder, body: { again: true } });
  await endedEvents(client, recorder.deviceID);
};

test('a corrected transcript keeps the times of kept words, and new words share the time between', async () => {
  expect(await timesOf()).toEqual([
    ['one', 0, 900],
    ['two', 1000, 1900],
    ['three', 2000, 2900],
    ['four.', 3000, 3900],
  ]);
  const corrected = await correct({ transcript: ' One,  too much\nfour! ' });
  expect(corrected).toMatchObject({ key: captionID, version: 2, correctedBy: userID, engineName: 'counter' });
  expect(corrected.transcript).toBe(' One,  too much\nfour! ');
  expect(corrected.correctedDate).toBeDefined();
  // `too much` replaces `two three`: 1,900 ms for seven letters.
  expect(await timesOf()).toEqual([
    ['One,', 0, 900],
    ['too', 1000, 1814],
    ['much', 1814, 2900],
    ['four!', 3000, 3900],
  ]);
});

test.each([
  '  two ends  ',
  '\n\n- Who goes there?\r\n\t- Nobody.\n',
  '\u00a0\u3000wide\u2028and\u2029separate\ufeff',
  ' \n ',
])('a transcript is stored exactly as given: %j', async (transcript) => {
  expect((await correct({ transcript })).transcript).toBe(transcript);
  expect((await captionOf(client, captionID)).transcript).toBe(transcript);
  expect((await versions())[0]?.transcript).toBe(transcript);
  // Its words are split and found nevertheless.
  const words = transcript.split(/\s+/).filter(Boolean);
  expect((await timesOf()).map(([text]) => text)).toEqual(words);
  const said = words.at(-1)?.replaceAll(/\W/g, '');
  if (said === undefined) return;
  const { results } = await client.searchCaptions({ body: { searchText: said, deviceIDList: [recorder.deviceID] } });
  expect(results).toMatchObject([{ captionID, transcript, matches: [{ word: words.at(-1) }] }]);
});

test('added words get the time of the pause, and in a clip without words all its time', async () => {
  await correct({ transcript: 'one and two three four five' });
  expect((await timesOf())[1]).toEqual(['and', 900, 1000]);
  expect((await timesOf())[5]).toEqual(['five', 3900, 4000]);
  await correct({ transcript: '' });
  expect(await captionOf(client, captionID)).toMatchObject({ transcript: '', segments: [] });
  await correct({ transcript: 'ab cd' });
  expect(await timesOf()).toEqual([
    ['ab', 0, 2000],
    ['cd', 2000, 4000],
  ]);
});

test('words with given times are stored unchanged', async () => {
  const words = [
    { text: 'owl', startMs: 10, endMs: 20 },
    { text: 'calls', startMs: 15, endMs: 2000 },
  ];
  expect(await correct({ words })).toMatchObject({ transcript: 'owl calls', version: 2 });
  expect(await timesOf()).toEqual([
    ['owl', 10, 20],
    ['calls', 15, 2000],
  ]);
});

test('an invalid correction is refused and changes nothing', async () => {
  const word = { text: 'owl', startMs: 10, endMs: 20 };
  const refused: CaptionCorrection[] = [
    {},
    { transcript: 'x', words: [word] },
    { words: [{ ...word, endMs: 9 }] },
    { words: [word, { ...word, startMs: 9 }] },
    { words: [{ ...word, text: ' ' }] },
    { words: [{ ...word, text: ' owl' }] },
    { words: [{ ...word, text: 'owl\n' }] },
    { words: [{ ...word, endMs: 86_400_001 }] },
    { transcript: 'a\u0000b' },
  ];
  for (const body of refused) expect(await statusOf(correct(body))).toBe(400);
  expect(await versions()).toHaveLength(1);
});

test('a correction of a version that is no longer current is refused', async () => {
  await correct({ transcript: 'first', version: 1 });
  expect(await statusOf(correct({ transcript: 'second', version: 1 }))).toBe(409);
  // Two concurrent corrections: only one is based on the current version.
  const both = [correct({ transcript: 'second', version: 2 }), correct({ transcript: 'third', version: 2 })];
  expect((await Promise.all(both.map(statusOf))).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await versions()).toHaveLength(3);
});

test('a later run of an engine does not replace a correction, unless the sound is new', async () => {
  await correct({ transcript: 'by hand' });
  engines.version = '2';
  await recaption();
  expect(await captionOf(client, captionID)).toMatchObject({ transcript: 'by hand', version: 2, correctedBy: userID });
  expect(await versions()).toMatchObject([
    { version: 3, origin: 'engine', transcript: 'one two three four.', engineVersion: '2', isCurrent: false },
    { version: 2, origin: 'hand', basedOn: 1, createdBy: userID, isCurrent: true },
    { version: 1, origin: 'engine', engineVersion: '1', isCurrent: false },
  ]);
  await recorder.put(captionID, tinyWav(2));
  await endedEvents(client, recorder.deviceID);
  const heard = await captionOf(client, captionID);
  expect(heard).toMatchObject({ transcript: 'one two', version: 4 });
  expect(heard).not.toHaveProperty('correctedBy');
});

test('any version can be restored as the newest and current one', async () => {
  const before = await timesOf();
  await correct({ transcript: 'by hand' });
  const restored = await client.restoreCaption({ params: { captionID }, body: { version: 1 } });
  expect(restored).toMatchObject({ version: 3, transcript: 'one two three four.', correctedBy: userID });
  expect(await timesOf()).toEqual(before);
  expect((await versions())[0]).toMatchObject({ version: 3, origin: 'hand', basedOn: 1, isTimed: true });
  expect(await statusOf(client.restoreCaption({ params: { captionID }, body: { version: 9 } }))).toBe(404);
  await recaption();
  expect(await captionOf(client, captionID)).toMatchObject({ version: 3 });
});

test('a clip without a caption can be captioned by hand, and no engine replaces it', async () => {
  const quiet = await addRecorder(client, false);
  captionID = await quiet.add(tinyWav(1));
  expect(await statusOf(client.getCaption({ params: { captionID } }))).toBe(404);
  expect(await statusOf(correct({ transcript: 'x', version: 1 }))).toBe(409);
  expect(await correct({ transcript: 'a bell' })).toMatchObject({ version: 1, correctedBy: userID });
  await client.captionAudio({ params: quiet, body: {} });
  await endedEvents(client, quiet.deviceID);
  expect(await versions()).toHaveLength(1);
});

test('words written by hand are aligned with the sound on request', async () => {
  await correct({ transcript: 'uno due' });
  await client.captionWords({ params: { captionID } });
  const [, event] = await endedEvents(client, recorder.deviceID);
  expect(event).toMatchObject({ eventType: 'Caption_words', serverEvent: 1, eventStatus: 4 });
  expect(resultOf(event ?? {})).toEqual({ outcome: 'The words were found.' });
  expect(engines.placed).toEqual([['uno', 'due']]);
  expect(await timesOf()).toEqual([
    ['uno', 0, 2000],
    ['due', 2000, 4000],
  ]);
  expect(await captionOf(client, captionID)).toMatchObject({ transcript: 'uno due', correctedBy: userID, version: 3 });
  expect((await versions())[0]).toMatchObject({ origin: 'hand', basedOn: 2, isTimed: true });

  await client.captionWords({ params: { captionID } });
  const events = await endedEvents(client, recorder.deviceID);
  expect(resultOf(events.at(-1) ?? {})).toEqual({ outcome: 'Its words already have times.' });
  expect(await versions()).toHaveLength(3);
});

test('estimated times of an engine are marked, and located in the sound on request', async () => {
  expect(await captionOf(client, captionID)).toMatchObject({ isTimed: true, segments: [{}] });
  engines.givesTimes = false;
  captionID = await recorder.add(tinyWav(3));
  expect(await captionOf(client, captionID)).toMatchObject({ isTimed: false, segments: [{ isTimed: false }] });
  expect(await versions()).toMatchObject([{ origin: 'engine', isTimed: false }]);
  // A correction keeps estimated times, which must not be taken for times that were found.
  await correct({ transcript: 'one two tree' });
  await client.captionWords({ params: { captionID } });
  await endedEvents(client, recorder.deviceID);
  expect(engines.placed).toEqual([['one', 'two', 'tree']]);
  expect(engines.expected).toEqual([[undefined, undefined, undefined]]);
  const located = await captionOf(client, captionID);
  expect(located).toMatchObject({ isTimed: true, transcript: 'one two tree', correctedBy: userID, version: 3 });
  expect(located.segments[0]).not.toHaveProperty('isTimed');

  captionID = await recorder.add(tinyWav(2));
  await captionOf(client, captionID);
  await client.captionWords({ params: { captionID } });
  await endedEvents(client, recorder.deviceID);
  expect(await versions()).toMatchObject([
    { version: 2, origin: 'engine', basedOn: 1, isTimed: true, isCurrent: true },
    { version: 1, origin: 'engine', isTimed: false },
  ]);
});

test('a request for word times captions a clip without a caption, at once or when its sound is uploaded', async () => {
  const quiet = await addRecorder(client, false);
  const [here, later] = [await quiet.add(tinyWav(1)), await quiet.announce()];
  await client.captionWords({ params: { captionID: here } });
  await client.captionWords({ params: { captionID: later } });
  await client.captionWords({ params: { captionID: later } });
  expect(await endedEvents(client, quiet.deviceID)).toHaveLength(1);
  expect(await findCaption(client, here)).toMatchObject({ transcript: 'one' });
  await quiet.put(later, tinyWav(2));
  expect(await captionOf(client, later)).toMatchObject({ transcript: 'one two' });
  await quiet.put(later, tinyWav(3));
  const events = await endedEvents(client, quiet.deviceID);
  expect(events.map((event) => resultOf(event))).toEqual([
    { outcome: 'The clip was captioned.' },
    { outcome: 'The clip was captioned.' },
  ]);
});
