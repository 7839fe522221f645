import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import type { Credential } from '@earshot/client/credential';
import type { LiveMessage } from '@earshot/client/live';
import { listen } from '@earshot/client/live';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStream } from './stream.ts';

/* Every kind of text in a record is sent by the live stream as the record's GET returns it. */

const texts: readonly string[] = [
  'line\u2028separator',
  'paragraph\u2029separator',
  '\u2028\u2029',
  'next\u0085line',
  'vertical\u000btab, form\ffeed',
  'one\ntwo\rthree\r\nfour\n\ndata: five',
  '𝄞 🎙️ 👩‍👩‍👧‍👦 𠮷',
  '\ufeffa byte order mark',
  'quotes " and \\ backslash',
  'ä\u2028'.repeat(1_500),
];

let server: TestServer;
let client: Client;
let credential: Credential;
beforeAll(async () => {
  server = await startTestServer();
  ({ client, credential } = await server.admin.withKey());
});
afterAll(() => server.stop());

type Change = Exclude<LiveMessage, { readonly event: 'reset' }>;

/** Follows the stream from a position until the mark; optionally cuts the connection after every message. */
async function changesFrom(place: string, markID: number, isCut = false): Promise<readonly Change[]> {
  const changes: Change[] = [];
  let lastEventID = place;
  for (;;) {
    for await (const message of listen({ url: server.url, credential }, { lastEventID })) {
      if (message.event === 'reset') throw new Error('the position was lost');
      if (message.event === 'device' && message.key === markID) return changes;
      changes.push(message);
      lastEventID = message.id;
      if (isCut) break;
    }
  }
}

test('devices and clips with every kind of text arrive complete, each once and in order', async () => {
  const start = await openStream(server.url, { credential });
  start.close();
  const sent: { event: string; record: object }[] = [];
  for (const text of texts) {
    const device = await client.createDevice({ body: { deviceSerial: `d-${randomUUID()}`, deviceDescription: text } });
    sent.push({ event: 'device', record: device });
    const clip = await client.announceAudioClip({
      params: { audioClipID: device.deviceSerial ?? '' },
      body: { startTime: 5, localFilePath: text, audioClipParameters: JSON.stringify({ text }) },
    });
    sent.push({ event: 'audioclip', record: clip });
    expect(device.deviceDescription).toBe(text);
    expect(clip.localFilePath).toBe(text);
  }
  const mark = await client.createDevice({ body: { deviceSerial: `d-${randomUUID()}` } });
  for (const isCut of [false, true]) {
    const changes = await changesFrom(start.position, mark.key ?? 0, isCut);
    expect(changes.map(({ event, record }) => ({ event, record }))).toEqual(sent);
  }
});

test('a listener without a change resumes where it began', async () => {
  const closing = new AbortController();
  let connections = 0;
  const places: (string | null)[] = [];
  // The first connection is cut after its position is known, and a device is added before the second.
  const cutting: typeof fetch = async (input, init) => {
    places.push(new Headers(init?.headers).get('last-event-id'));
    connections += 1;
    if (connections > 1) return fetch(input, init);
    const response = await fetch(input, init);
    const reader = response.body?.getReader();
    let text = '';
    while (!text.includes('\n\n')) text += new TextDecoder().decode((await reader?.read())?.value);
    await reader?.cancel();
    await client.createDevice({ body: { deviceSerial: 'd-between' } });
    return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
  };
  const heard: unknown[] = [];
  for await (const message of listen({ url: server.url, credential, fetch: cutting }, { signal: closing.signal })) {
    heard.push(
      'record' in message && message.record && 'deviceSerial' in message.record && message.record.deviceSerial,
    );
    closing.abort();
  }
  expect(heard).toEqual(['d-between']);
  expect(places).toEqual([null, expect.stringMatching(/^\d+-\d+$/)]);
});

test('unreadable data is requested again, never skipped', async () => {
  const start = await openStream(server.url, { credential });
  const { key } = await client.createDevice({ body: { deviceSerial: `d-${randomUUID()}` } });
  await start.untilDevice(key);
  start.close();
  const places: (string | null)[] = [];
  const garbling: typeof fetch = async (input, init) => {
    places.push(new Headers(init?.headers).get('last-event-id'));
    if (places.length > 1) return fetch(input, init);
    return new Response('id: 999999-1\nevent: device\ndata: {"change\n\n');
  };
  const options = { url: server.url, credential, fetch: garbling };
  for await (const message of listen(options, { lastEventID: start.events[0]?.id ?? '' })) {
    expect(message).toMatchObject({ event: 'device', key });
    break;
  }
  expect(places).toEqual([start.events[0]?.id, start.events[0]?.id]);
});
