import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerResponse } from 'node:http';
import type { Client } from '@earshot/client/client';
import type { Event } from '@earshot/contract/event';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Received, Receiver } from '../../event/tests/receiver.ts';
import { startReceiver } from '../../event/tests/receiver.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import { between, hear, levelOf, loudest } from '../../../platform/media/tests/measure.ts';
import { media } from '../../../platform/media/tests/programs.ts';
import { makeFolder } from '../../../platform/media/tests/sound-maker.ts';

const start = 1_794_704_400;
const rate = 8_000;
let server: TestServer;
let client: Client;
let receiver: Receiver;
let deviceID: number;
let deviceSerial: string;
/** The names that the platform resolved. */
const lookups: string[] = [];
let answer: (request: Received, response: ServerResponse) => void;

beforeAll(async () => {
  server = await startTestServer(
    { allowNetworks: ['127.0.0.0/8'], eventTimes: { leaseSeconds: 300, retrySeconds: 1 } },
    {
      lookup: async (hostname) => {
        lookups.push(hostname);
        return [{ address: '10.0.0.1', family: 4 }];
      },
    },
  );
  client = (await (await server.addPerson()).withKey()).client;
  receiver = await startReceiver((request, response) => answer(request, response));
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});
beforeEach(async () => {
  answer = (_request, response) => void response.writeHead(200).end();
  receiver.requests.length = 0;
  lookups.length = 0;
  deviceSerial = `d-${randomUUID()}`;
  deviceID = (await client.createDevice({ body: { deviceSerial, autoCaption: false } })).key ?? 0;
});

/** A clip of two seconds with its own tone, starting this many seconds after the start. */
async function addClip(atSeconds: number, hertz: number, hasSound = true): Promise<number> {
  const clip = { startTime: start + atSeconds, clipLengthInSeconds: 2 };
  const { key: audioClipID = 0 } = await client.announceAudioClip({
    params: { audioClipID: deviceSerial },
    body: clip,
  });
  if (hasSound) await client.putAudioClipContent({ params: { audioClipID }, body: tinyWav(2, hertz) });
  return audioClipID;
}

const ended = (eventID = 0): Promise<Event> =>
  vi.waitFor(
    async () => {
      const event = await client.getEvent({ params: { eventID } });
      expect(event.eventStatus).toBeGreaterThan(3);
      return event;
    },
    { interval: 50 },
  );

const resultOf = (event: Event) => JSON.parse(event.result ?? '{}') as Record<string, unknown>;

async function hearFile(fileID: number): Promise<Float32Array> {
  const response = await client.getFileContent({ params: { fileID } });
  const path = join(await makeFolder(), 'joined');
  await writeFile(path, Buffer.from(await response.arrayBuffer()));
  return hear(media, path, rate);
}

describe('the platform joins', () => {
  test('the clips of a range in time order, cut to it, with silence between them', async () => {
    await addClip(5, 900);
    await addClip(0, 500);
    const event = await client.concatenateAudioClips({
      query: { usevrs: true },
      body: { deviceID, startEpoch: start + 1, endEpoch: start + 6 },
    });
    expect(event).toMatchObject({ deviceID, serverEvent: 1, eventStatus: 1 });
    const done = await ended(event.key);
    expect(done).toMatchObject({ eventStatus: 4, percentComplete: 100 });
    const { fileID, durationMs } = resultOf(done);
    expect(Math.abs(Number(durationMs) - 5_000)).toBeLessThanOrEqual(50);

    const sound = await hearFile(Number(fileID));
    expect(Math.abs(sound.length / rate - 5)).toBeLessThanOrEqual(0.05);
    expect(levelOf(between(sound, rate, 50, 950), rate, 500)).toBeGreaterThan(0.3);
    expect(loudest(between(sound, rate, 1_050, 3_950))).toBeLessThan(0.01);
    expect(levelOf(between(sound, rate, 4_050, 4_950), rate, 900)).toBeGreaterThan(0.3);
    const file = await client.getFile({ params: { fileID: Number(fileID) } });
    expect(file).toMatchObject({
      deviceID,
      fileStatus: 1,
      contentType: 'audio/wav',
      filename: `joined-${event.key}.wav`,
    });
  });

  test('the given clips, with the gaps closed', async () => {
    const [first, , third] = [await addClip(0, 500), await addClip(10, 700), await addClip(20, 900)];
    const event = await client.concatenateAudioClips({
      query: { usevrs: true },
      body: { deviceID, audioClips: [{ key: third }, { key: first }], gaps: 'close' },
    });
    const { fileID } = resultOf(await ended(event.key));
    const sound = await hearFile(Number(fileID));
    expect(Math.abs(sound.length / rate - 4)).toBeLessThanOrEqual(0.05);
    expect(levelOf(between(sound, rate, 100, 1_900), rate, 500)).toBeGreaterThan(0.3);
    expect(levelOf(between(sound, rate, 2_100, 3_900), rate, 900)).toBeGreaterThan(0.3);
    expect(levelOf(sound, rate, 700)).toBeLessThan(0.01);
  });

  test('and exports the available sound of a range in the requested format', needs('ffmpeg'), async () => {
    await addClip(0, 500);
    await addClip(2, 900, false);
    const event = await client.exportAudioClips({
      body: { deviceSerial, startEpoch: start, endEpoch: start + 60, format: 'flac' },
    });
    const { fileID, format } = resultOf(await ended(event.key));
    expect(format).toBe('flac');
    const sound = await hearFile(Number(fileID));
    expect(Math.abs(sound.length / rate - 2)).toBeLessThanOrEqual(0.05);
  });

  test('only clips with sound: a clip without sound is named, and nothing is enqueued', async () => {
    await addClip(0, 500);
    const missing = await addClip(5, 900, false);
    const asked = client.concatenateAudioClips({ query: { usevrs: true }, body: { deviceID, startEpoch: start } });
    await expect(asked).rejects.toMatchObject({ status: 409, message: expect.stringContaining(String(missing)) });
    expect(await client.listEvents({ body: { deviceID } })).toEqual([]);
    const empty = { deviceSerial, startEpoch: start + 4, endEpoch: start + 60 };
    await expect(client.exportAudioClips({ body: empty })).rejects.toMatchObject({ status: 409 });
  });
});

describe('the result is sent to uploadURL', () => {
  const uploadURL = () => `http://127.0.0.1:${receiver.port}/sound?signature=top-secret`;
  const postbackURL = () => `http://127.0.0.1:${receiver.port}/outcome?token=top-secret`;

  test('by PUT, with retries, and the outcome to postbackURL', async () => {
    await addClip(0, 500);
    let refusals = 1;
    answer = ({ method }, response) => void response.writeHead(method === 'PUT' && refusals-- > 0 ? 503 : 200).end();
    const event = await client.concatenateAudioClips({
      query: { usevrs: true },
      body: { deviceName: deviceSerial, startEpoch: start, uploadURL: uploadURL(), postbackURL: postbackURL() },
    });
    const done = await ended(event.key);
    expect(done).toMatchObject({ eventStatus: 4, attemptNumber: 2 });
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(3));
    const [, put, post] = receiver.requests;
    expect(put).toMatchObject({
      method: 'PUT',
      path: '/sound?signature=top-secret',
      headers: { 'content-type': 'audio/wav' },
    });
    expect(resultOf(done)).toMatchObject({ uploadedBytes: Number(put?.headers['content-length']) });
    expect(post).toMatchObject({ method: 'POST', path: '/outcome?token=top-secret' });
    for (const shown of [
      JSON.stringify(event),
      JSON.stringify(done),
      post?.body ?? '',
      JSON.stringify(server.log.lines),
    ])
      expect(shown).not.toContain('top-secret');
    expect(JSON.parse(event.eventParameters ?? '')).toMatchObject({
      uploadURL: `http://127.0.0.1:${receiver.port}/sound`,
      postbackURL: `http://127.0.0.1:${receiver.port}/outcome`,
    });
  });

  test('an agent that takes the event gets the complete URL, and no other caller', async () => {
    const clip = await addClip(0, 500, false);
    const event = await client.concatenateAudioClips({
      body: { deviceID, startEpoch: start, uploadURL: uploadURL(), postbackURL: postbackURL(), timeout: 'PT5M' },
    });
    expect(event).toMatchObject({ serverEvent: 0 });
    const seconds = (event.expirationEpoch ?? 0) - Math.floor(Date.parse(event.creationDate ?? '') / 1000);
    expect(Math.abs(seconds - 300)).toBeLessThanOrEqual(1);
    const pending = await client.listPendingEvents({ body: { deviceSerial } });
    expect(JSON.stringify(pending)).not.toContain('top-secret');
    const headers = { 'x-take-id': randomUUID() };
    const takeIt = () => client.dequeueEvent({ body: { deviceSerial, agentType: 'Transcoding' }, headers });
    for (const taken of [await takeIt(), await takeIt()]) {
      expect(JSON.parse(taken?.eventParameters ?? '')).toMatchObject({
        audioClips: [clip],
        uploadURL: uploadURL(),
        postbackURL: postbackURL(),
      });
    }
    expect(JSON.stringify(await client.getEvent({ params: { eventID: event.key ?? 0 } }))).not.toContain('top-secret');
  });

  test('never inside the server’s network, and a name that resolves to it is not retried', async () => {
    await addClip(0, 500);
    const event = await client.concatenateAudioClips({
      query: { usevrs: true },
      body: { deviceID, startEpoch: start, uploadURL: 'http://inside.example.org/sound' },
    });
    const done = await ended(event.key);
    expect(done).toMatchObject({ eventStatus: 5, attemptNumber: 1, maxAttempts: 3 });
    expect(done.result).toContain('the host name does not exist, or its address is not public');
    expect(lookups).toEqual(['inside.example.org']);
    const history = await client.listEventHistory({ params: { eventID: event.key ?? 0 } });
    expect(history.map(({ cause }) => cause)).toEqual(['enqueued', 'taken', 'failed']);
  });

  test.each(['10.0.0.1', '0xa9fea9fe', '[::1]', '[::ffff:10.0.0.1]'])(
    'http://%s/ is refused where the platform calls it, and accepted where the device does',
    async (host) => {
      await addClip(0, 500);
      const privateURL = `http://${host}/sound`;
      const body = { deviceID, startEpoch: start, uploadURL: privateURL };
      const refusal = {
        status: 400,
        problem: { errors: [{ path: 'uploadURL', message: 'cannot be called: its address is not public' }] },
      };
      await expect(client.concatenateAudioClips({ query: { usevrs: true }, body })).rejects.toMatchObject(refusal);
      await expect(client.exportAudioClips({ body: { ...body, endEpoch: start + 10 } })).rejects.toMatchObject(refusal);
      expect(await client.concatenateAudioClips({ body })).toMatchObject({ eventStatus: 1, serverEvent: 0 });
      await expect(
        client.concatenateAudioClips({ body: { deviceID, startEpoch: start, postbackURL: privateURL } }),
      ).rejects.toMatchObject({ status: 400, problem: { errors: [{ path: 'postbackURL' }] } });
    },
  );
});

describe('an invalid join is refused', () => {
  test.each<[string, object]>([
    ['a range without clips', { startEpoch: start + 1_000, endEpoch: start + 2_000 }],
    ['a range that ends before it starts', { startEpoch: start, endEpoch: start - 1 }],
    ['a timeout in an unknown form', { startEpoch: start, timeout: 'soon' }],
    ['a timeout of more than a day', { startEpoch: start, timeout: '25:00:00' }],
    ['an invalid URL', { startEpoch: start, uploadURL: 'ftp://example.org/' }],
    ['a clip without a key', { audioClips: [{}] }],
    ['an unknown format', { startEpoch: start, format: 'midi' }],
  ])('%s', async (_name, body) => {
    await addClip(0, 500, false);
    const asked = client.concatenateAudioClips({ body: { deviceID, ...body } });
    await expect(asked).rejects.toMatchObject({ status: 400 });
    expect(await client.listEvents({ body: { deviceID } })).toEqual([]);
  });

  test('a clip of another device', async () => {
    const other = await addClip(0, 500, false);
    const { key = 0 } = await client.createDevice({ body: { deviceSerial: `d-${randomUUID()}` } });
    const asked = client.concatenateAudioClips({ body: { deviceID: key, audioClips: [{ key: other }] } });
    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining('audioClips[0].key') });
  });
});

test('a cancelled join stops, and releases its slot', needs('ffmpeg'), async () => {
  for (let at = 0; at < 40; at += 2) await addClip(at, 500 + at * 10);
  const event = await client.concatenateAudioClips({
    query: { usevrs: true },
    body: { deviceID, startEpoch: start, format: 'opus', uploadURL: `http://127.0.0.1:${receiver.port}/never` },
  });
  answer = () => {};
  await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), { interval: 20 });
  await client.cancelEvent({ params: { eventID: event.key ?? 0 } });
  expect(await ended(event.key)).toMatchObject({ eventStatus: 7 });
  // The slot is free again.
  answer = (_request, response) => void response.writeHead(200).end();
  const next = await client.exportAudioClips({ body: { deviceID, startEpoch: start, endEpoch: start + 4 } });
  expect(await ended(next.key)).toMatchObject({ eventStatus: 4 });
});
