import { channelKinds } from '@earshot/contract/channel-kinds';
import { expect, onTestFinished, test } from 'vitest';
import type { OutboundCall } from '../../../platform/outbound/outbound.ts';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import { createSecretBox } from '../../../platform/secrets/secret-box.ts';
import { startReceiver } from '../../event/tests/receiver.ts';
import type { Carrier, ToldMessage } from '../kinds/kind.ts';
import { kindsByName } from '../kinds/kinds.ts';
import type { HttpKindName } from './hostile.ts';
import { hostileMessage, httpKindNames, settingsAt } from './hostile.ts';

interface Sent {
  readonly url: string;
  readonly call: OutboundCall;
  readonly json: unknown;
}

const carrierWith = (outbound: Carrier['outbound']): Carrier => ({
  outbound,
  mail: undefined,
  mqtt: undefined,
  signal: new AbortController().signal,
  attemptMs: 5_000,
  epoch: 1_794_704_500,
  postbackSecret: () => 'whsec_c2VjcmV0',
  publicOrigin: 'https://earshot.example',
  secretBox: createSecretBox(Buffer.alloc(32, 1)),
});

/** What a kind sends. Only the network is replaced: the services themselves cannot be reached. */
async function sentBy(kind: HttpKindName, message: ToldMessage): Promise<Sent> {
  const calls: { url: string; call: OutboundCall }[] = [];
  const outbound: Carrier['outbound'] = {
    ...createOutbound({ allowNetworks: [] }),
    send: async (url, call) => {
      calls.push({ url, call });
      return { status: 200, headers: {}, body: Buffer.from('{}'), cutShort: false };
    },
  };
  const settings = settingsAt('https://told.example/hook')[kind];
  expect(kindsByName[kind].check(settings, { outbound, mail: undefined, mqtt: undefined })).toEqual([]);
  expect(await kindsByName[kind].send(message, settings, carrierWith(outbound))).toMatchObject({ outcome: 'accepted' });
  const [{ url, call }] = calls as [(typeof calls)[number]];
  return { url, call, json: JSON.parse(call.body as string) };
}

/** The names of all fields, with those of nested objects. */
const fieldsOf = (value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...fieldsOf(inner)]);
};

const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
};

const plain: ToldMessage = {
  ...hostileMessage,
  rule: { key: 3, name: 'Fire' },
  device: { key: 5, name: 'Gate' },
  words: 'fire',
};

/** What a push message has is encrypted; push.test.ts reads it. */
const readable = httpKindNames.filter((kind) => kind !== 'push');

test.each(readable)('%s: no text of a stranger becomes a field, a header or a line', async (kind) => {
  const [hostile, usual] = [await sentBy(kind, hostileMessage), await sentBy(kind, plain)];
  expect(fieldsOf(hostile.json)).toEqual(fieldsOf(usual.json));
  expect(hostile.url).toBe(usual.url);
  const headersOf = ({ call }: Sent) =>
    Object.fromEntries(Object.entries(call.headers ?? {}).filter(([name]) => name !== 'webhook-signature'));
  expect(headersOf(hostile)).toEqual(headersOf(usual));
  // A webhook is data for a program, and has texts as they are.
  if (kind === 'webhook') return;
  for (const text of textsOf(hostile.json)) expect(text).not.toMatch(/\r|\nBcc|\u202e|\n\.|\nDATA/);
});

test('markup of the services is escaped', async () => {
  const slack = JSON.stringify((await sentBy('slack', hostileMessage)).json);
  expect(slack).not.toContain('<!channel>');
  expect(slack).toContain('&lt;!channel&gt;');
  const discord = await sentBy('discord', hostileMessage);
  expect(discord.json).toMatchObject({ allowed_mentions: { parse: [] } });
  for (const { json } of [discord, await sentBy('teams', hostileMessage)]) {
    const text = textsOf(json).join('\n');
    expect(text).not.toMatch(/[^\\]\[a\]|[^\\]\*\*b|[^\\]<script|[^\\]@everyone/);
  }
  for (const kind of ['telegram', 'matrix', 'gotify', 'pushover'] as const)
    expect(fieldsOf((await sentBy(kind, hostileMessage)).json)).not.toEqual(
      expect.arrayContaining(['parse_mode', 'html', 'formatted_body']),
    );
});

test('messages have the documented shapes', async () => {
  const shape = async (kind: HttpKindName, message = plain) => {
    const { url, call, json } = await sentBy(kind, message);
    return { url, method: call.method, json };
  };
  const title = 'Fire: Gate';
  const text = 'Critical, 2026-11-15 01:00:00 UTC\n“fire”';
  expect(await shape('ntfy')).toEqual({
    url: 'https://told.example/hook',
    method: 'POST',
    json: { topic: 'night', title, message: text, priority: 5, click: plain.url },
  });
  expect(await shape('telegram')).toMatchObject({
    url: 'https://api.telegram.org/bot1:abc/sendMessage',
    json: { chat_id: '-100', text: `${title}\n${text}\n${plain.url}` },
  });
  expect(await shape('matrix')).toMatchObject({
    url: `https://told.example/hook/_matrix/client/v3/rooms/!r:example.org/send/m.room.message/${plain.messageID}`,
    method: 'PUT',
    json: { msgtype: 'm.text' },
  });
  expect(await shape('gotify')).toMatchObject({ url: 'https://told.example/hook/message', json: { priority: 9 } });
  expect(await shape('pushover')).toMatchObject({ json: { token: 'app', user: 'user', priority: 1 } });
  const trigger = { routing_key: 'key', event_action: 'trigger', dedup_key: 'earshot-alert-7-12' };
  expect(await shape('pagerduty')).toMatchObject({ json: { ...trigger, payload: { severity: 'critical' } } });
  expect(await shape('pagerduty', { ...plain, kind: 'resolved' })).toMatchObject({
    json: { ...trigger, event_action: 'resolve' },
  });
  expect(await shape('http')).toMatchObject({ json: { a: [title, text], b: 'critical' } });
  const firing = await shape('alertmanager');
  const resolved = await shape('alertmanager', { ...plain, kind: 'resolved', rule: { key: 3, name: 'Renamed' } });
  expect(firing.url).toBe('https://told.example/hook/api/v2/alerts');
  const [[one], [other]] = [firing.json, resolved.json] as { labels: object; endsAt: string }[][] as [
    { labels: object; endsAt: string }[],
    { labels: object; endsAt: string }[],
  ];
  expect(one?.labels).toEqual(other?.labels);
  expect([Date.parse(one?.endsAt ?? ''), Date.parse(other?.endsAt ?? '')]).toEqual([
    (1_794_704_500 + 86_400) * 1_000,
    1_794_704_500_000,
  ]);
});

test.each(httpKindNames)('%s: a private address is never connected to, by its number or by a name', async (kind) => {
  const receiver = await startReceiver((_request, response) => void response.end());
  onTestFinished(() => receiver.stop());
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }];
  const carrier = carrierWith(createOutbound({ allowNetworks: [], lookup }));
  const faults: string[] = [];
  for (const host of ['127.0.0.1', 'told.example']) {
    const settings = settingsAt(`http://${host}:${receiver.port}`)[kind];
    const sending = kindsByName[kind].send(plain, settings, carrier);
    await sending.catch((error: { fault: string }) => faults.push(error.fault));
  }
  const hasOwnAddress = channelKinds[kind].fields.some(({ name }) => name === 'url');
  expect(faults).toEqual(hasOwnAddress ? ['forbidden', 'unresolved'] : ['unresolved', 'unresolved']);
  expect(receiver.connections).toEqual([]);
});
