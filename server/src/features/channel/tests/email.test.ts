import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createClient } from '@earshot/client/client';
import { expect, onTestFinished, test } from 'vitest';
import type { TestServer } from '../../../testing/server.ts';
import { startTestServer } from '../../../testing/server.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import { createSecretBox } from '../../../platform/secrets/secret-box.ts';
import { startReceiver } from '../../event/tests/receiver.ts';
import { email } from '../kinds/email.ts';
import { hostileMessage, hostileText } from './hostile.ts';
import type { MailServer } from './mail-listener.ts';
import { headerOf, headersOf, partOf, startMailServer } from './mail-server.ts';
import { createChannelScene } from './scene.ts';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const mailOf = ({ port }: MailServer) => ({
  host: '127.0.0.1',
  port,
  isSecure: false,
  login: undefined,
  from: 'earshot@example.org',
});

async function startMailing(): Promise<{ server: TestServer; mailServer: MailServer }> {
  const [mailServer, port] = [await startMailServer(), await freePort()];
  const server = await startTestServer({
    port,
    publicOrigin: `http://127.0.0.1:${port}`,
    allowNetworks: ['127.0.0.0/8'],
    mail: mailOf(mailServer),
    eventTimes: { leaseSeconds: 300, retrySeconds: 0.02 },
  });
  onTestFinished(() => server.stop());
  return { server, mailServer };
}

const addEmail = async (client: Awaited<ReturnType<typeof createChannelScene>>['client'], address: string) =>
  (await client.createChannel({ body: { channelName: 'Mail', kind: 'email', settings: { address } } })).key ?? 0;

const tokenIn = (text: string): string => /#token=([\w.-]+)/.exec(text)?.[1] ?? '';

test('a person gets mail in one thread an alert, and acknowledges by its link, once and as that person alone', async () => {
  const { server, mailServer } = await startMailing();
  const { client, person, addDevice, addFireRule, sayFire, settled, alertsOf } = await createChannelScene(server);
  const [device, channel] = [await addDevice(), await addEmail(client, person.email)];
  const rule = await addFireRule(channel, true);
  await sayFire(device, 2);
  expect(await settled(channel)).toMatchObject([{ kind: 'alert', state: 'delivered' }]);
  const [mail] = mailServer.mails;
  expect([mail?.from, mail?.to]).toEqual(['earshot@example.org', [person.email]]);
  const [alert] = await alertsOf(rule);
  expect(headerOf(mail!, 'subject')).toBe(`Fire (alert ${alert?.key})`);
  expect(headerOf(mail!, 'references')).toBe(`<alert-${alert?.key}-${channel}@example.org>`);
  for (const type of ['text/plain', 'text/html'] as const) expect(partOf(mail!, type)).toContain('fire at the mill');
  const token = tokenIn(partOf(mail!, 'text/plain'));
  const stranger = createClient({ url: server.url });
  // Opening the page changes nothing.
  expect((await fetch(`${server.url}/acknowledge`)).status).toBe(200);
  expect((await alertsOf(rule))[0]?.state).toBe('open');
  await expect(stranger.acknowledgeByLink({ body: { token: `${token}x` } })).rejects.toMatchObject({ status: 401 });
  expect(await stranger.acknowledgeByLink({ body: { token } })).toEqual({
    alertID: alert?.key,
    ruleName: 'Fire',
    state: 'acknowledged',
  });
  expect((await alertsOf(rule))[0]).toMatchObject({ state: 'acknowledged', stateBy: person.userID });
  const { results } = await server.admin.session.listAuditEntries({ body: { count: 5 } });
  expect(results.map(({ action, userID }) => [action, userID])).toContainEqual(['alert-changed', person.userID]);
  // The right is looked at when the link is used.
  await server.db`update users set disabled = true where key = ${person.userID}`;
  await expect(stranger.acknowledgeByLink({ body: { token } })).rejects.toMatchObject({ status: 401 });
});

test('another person is told only what that person may read; one who refuses or has quiet hours is not told', async () => {
  const { server, mailServer } = await startMailing();
  const { client, addDevice, addFireRule, sayFire, settled, lend } = await createChannelScene(server);
  const other = await createChannelScene(server);
  const [device, channel] = [await addDevice(), await addEmail(client, other.person.email)];
  await addFireRule(channel, true);
  await sayFire(device, 5);
  await settled(channel);
  const stranger = mailServer.mails.at(-1)!;
  expect(partOf(stranger, 'text/plain')).not.toContain('mill');
  expect(partOf(stranger, 'text/plain')).toMatch(/^Fire\r?\n/);
  await lend(device, other.person.userID);
  await sayFire(device, 4);
  await settled(channel);
  expect(partOf(mailServer.mails.at(-1)!, 'text/plain')).toContain('mill');
  await other.client.putBellManners({ body: { quietTimes: [{ from: '00:00', to: '00:00' }] } });
  await sayFire(device, 3);
  expect((await settled(channel)).at(-1)).toMatchObject({ state: 'dropped', reason: 'The person has quiet hours.' });
  await other.client.putBellManners({ body: { quietTimes: [], refusesOthers: true } });
  await sayFire(device, 2);
  const reason = 'The person is not told by rules of other people.';
  expect((await settled(channel)).at(-1)).toMatchObject({ state: 'dropped', reason });
  expect(mailServer.mails).toHaveLength(2);
});

test('an outside address confirms by a link before anything else is sent, and gets no link to acknowledge', async () => {
  const { server, mailServer } = await startMailing();
  const { client, addDevice, addFireRule, sayFire, settled, disclose } = await createChannelScene(server);
  const [device, channel] = [await addDevice(), await addEmail(client, 'night@outside.example')];
  const params = { channelID: channel };
  expect(await client.getChannel({ params })).toMatchObject({ state: 'unconfirmed' });
  await disclose(device);
  await addFireRule(channel, true);
  await sayFire(device, 3);
  const reason = 'The address has not been confirmed by its owner.';
  expect(await settled(channel)).toMatchObject([{ state: 'dropped', reason }]);
  expect(await client.testChannel({ params })).toMatchObject({
    isDelivered: true,
    answer: 'a link to confirm the address was sent to it',
  });
  const token = tokenIn(partOf(mailServer.mails[0]!, 'text/plain'));
  const stranger = createClient({ url: server.url });
  await client.updateChannel({ params, body: { settings: { address: 'day@outside.example' } } });
  await expect(stranger.confirmChannel({ body: { token } })).rejects.toMatchObject({ status: 401 });
  await client.updateChannel({ params, body: { settings: { address: 'night@outside.example' } } });
  await stranger.confirmChannel({ body: { token } });
  const { results } = await server.admin.session.listAuditEntries({ body: { count: 5 } });
  expect(results[0]).toMatchObject({ action: 'channel-changed', recordID: channel });
  expect(await client.getChannel({ params })).toMatchObject({ state: 'working' });
  await sayFire(device, 2);
  await settled(channel);
  const text = partOf(mailServer.mails.at(-1)!, 'text/plain');
  expect(text).toContain('fire at the mill');
  expect(text).not.toContain('/acknowledge');
  await client.updateChannel({ params, body: { settings: { address: 'day@outside.example' } } });
  expect(await client.getChannel({ params })).toMatchObject({ state: 'unconfirmed' });
});

test('a mail that is answered with 451 is sent again with the same Message-ID, one answered with 550 is not', async () => {
  const { server, mailServer } = await startMailing();
  const { client, person, addDevice, addFireRule, sayFire, settled } = await createChannelScene(server);
  const [device, channel] = [await addDevice(), await addEmail(client, person.email)];
  await addFireRule(channel);
  mailServer.refusals.push({ code: 451, text: 'later' }, { code: 451, text: 'later' });
  await sayFire(device, 3);
  const [delivery] = await settled(channel);
  expect(delivery).toMatchObject({ state: 'delivered', attempts: 3 });
  expect(headerOf(mailServer.mails[0]!, 'message-id')).toBe(`<${delivery?.messageID}@example.org>`);
  mailServer.refusals.push({ code: 550, text: 'no such mailbox' });
  await sayFire(device, 2);
  const refused = { state: 'failed', attempts: 1, lastStatus: 550, reason: 'the mail server answered 550' };
  expect((await settled(channel)).at(-1)).toMatchObject(refused);
});

const carrierWith = (outbound: Outbound, mail: ReturnType<typeof mailOf>) => ({
  outbound,
  mail,
  mqtt: undefined,
  signal: new AbortController().signal,
  attemptMs: 5_000,
  epoch: 1_794_704_500,
  postbackSecret: () => '',
  publicOrigin: undefined,
  secretBox: createSecretBox(Buffer.alloc(32, 1)),
});

test('no text of a stranger becomes a header, a recipient, a line of SMTP or markup', async () => {
  const mailServer = await startMailServer();
  const carrier = carrierWith(createOutbound({ allowNetworks: ['127.0.0.0/8'] }), mailOf(mailServer));
  const acknowledgeURL = 'https://earshot.example/acknowledge#token=1';
  const message = { ...hostileMessage, acknowledgeURL };
  expect(await email.send(message, { address: 'a@example.org' }, carrier)).toMatchObject({ outcome: 'accepted' });
  const [mail] = mailServer.mails;
  expect(mailServer.mails).toHaveLength(1);
  expect(mail?.to).toEqual(['a@example.org']);
  expect(headersOf(mail!).map(([name]) => name)).not.toContain('bcc');
  expect(partOf(mail!, 'text/html')).not.toContain('<script');
  expect(partOf(mail!, 'text/html')).toContain('&lt;script&gt;');
  expect(partOf(mail!, 'text/plain')).not.toMatch(/^(Bcc|DATA)/m);
  for (const address of [
    `a@example.org\r\nBcc: b@example.org`,
    'a@example.org, b@example.org',
    'A <a@example.org>',
    hostileText,
  ])
    expect(email.check({ address }, carrier)).toMatchObject([{ path: 'address' }]);
});

test('a mail server with a private address is never connected to, by its number or by a name', async () => {
  const receiver = await startReceiver((_request, response) => void response.end());
  onTestFinished(() => receiver.stop());
  const outbound = createOutbound({ allowNetworks: [], lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
  for (const host of ['127.0.0.1', '::1', 'mail.example'])
    await expect(
      email.send(
        hostileMessage,
        { address: 'a@example.org' },
        carrierWith(outbound, { ...mailOf(receiver as never), host, port: receiver.port }),
      ),
    ).rejects.toMatchObject({ fault: expect.stringMatching(/forbidden|unresolved/) });
  expect(receiver.connections).toEqual([]);
});
