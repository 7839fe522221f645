import { rm, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import { openStorage } from '../../../platform/storage/storage.ts';
import { findFreePort } from '../../../testing/free-port.ts';
import type { TestServer } from '../../../testing/server.ts';
import { startTestServer } from '../../../testing/server.ts';
import { fire, minuteMs } from '../../alert/tests/scene.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import { sendWithSounds } from '../delivery/sounds.ts';
import type { TakenDelivery } from '../delivery/take-queries.ts';
import { sendMail } from '../kinds/send-mail.ts';
import { filesIn, partOf, startMailServer } from './mail-server.ts';
import { createChannelScene } from './scene.ts';

/** A tone of 8,000 samples a second has 16,000 bytes for each second. */
const sixMegabytes = tinyWav(375);

async function startMailing() {
  const [mailServer, port] = [await startMailServer(), await findFreePort()];
  const origin = `http://127.0.0.1:${port}`;
  const mail = { host: '127.0.0.1', port: mailServer.port, isSecure: false, login: undefined, from: 'e@example.org' };
  const server = await startTestServer({
    port,
    publicOrigin: origin,
    allowNetworks: ['127.0.0.0/8'],
    mail,
    eventTimes: { leaseSeconds: 300, retrySeconds: 0.02 },
  });
  onTestFinished(() => server.stop());
  const scene = await createChannelScene(server);
  const { client, person, say, correct, addRule, telling, now } = scene;
  const addMail = async (address = person.email, attachesSound = true) =>
    (await client.createChannel({ body: { channelName: 'Mail', kind: 'email', settings: { address, attachesSound } } }))
      .key ?? 0;
  /** A rule whose alerts have all fires of an hour. */
  const tellHourly = (channelID: number) =>
    addRule({ ...fire, groupSeconds: 3_600, mostPerHour: 1_000, actions: telling(channelID) });
  /** A clip with sound, heard when all of its sound is here. */
  const record = async (device: number, minutesAgo: number, sound: Uint8Array<ArrayBuffer>) => {
    const key = await say(device, now - minutesAgo * minuteMs);
    await client.putAudioClipContent({ params: { audioClipID: key }, body: sound });
    return { key, hear: () => correct(key, 'fire at the mill') };
  };
  return { ...scene, server, origin, mailServer, mail, addMail, tellHourly, record };
}

async function pathOfSound({ db, dataDir }: TestServer, audioClipID: number): Promise<string> {
  const [row] = await db<{ name: string }[]>`
    select f.storage_name as name from audio_clips c join files f on f.key = c.file_id where c.key = ${audioClipID}`;
  return openStorage({ url: '', dataDir }).localPath(row?.name ?? '') ?? join(dataDir, 'none');
}

test('a mail has the sound that its person may read, if the owner of the channel chose so', async () => {
  const { server, client, addMail, addDevice, addFireRule, record, settled, mailServer, lend } = await startMailing();
  const other = await server.addPerson();
  const [own, without, others] = [await addMail(), await addMail(undefined, false), await addMail(other.email)];
  const device = await addDevice();
  for (const channel of [own, without, others]) await addFireRule(channel);
  const sound = tinyWav(0.4);
  const clip = await record(device, 3, sound);
  await clip.hear();
  for (const channel of [own, without, others]) await settled(channel);
  const mailTo = (address: string) => mailServer.mails.filter(({ to }) => to[0] === address);
  const ownMails = mailTo((await client.getChannel({ params: { channelID: own } })).settings?.address ?? '');
  const name = `clip-${clip.key}.wav`;
  expect(ownMails.flatMap((mail) => Object.keys(filesIn(mail)))).toEqual([name]);
  expect(ownMails).toHaveLength(2);
  const withSound = ownMails.find((mail) => name in filesIn(mail))!;
  expect(filesIn(withSound)[name]?.equals(Buffer.from(sound))).toBe(true);
  expect(withSound.raw).toContain('audio/wav');
  for (const type of ['text/plain', 'text/html'] as const)
    expect(partOf(withSound, type)).toContain(`Attached: ${name}`);
  // The other person may not read the device, and does not learn of the clip.
  const [stranger] = mailTo(other.email);
  expect(filesIn(stranger!)).toEqual({});
  expect(partOf(stranger!, 'text/plain')).not.toMatch(/clip|attached/i);
  await lend(device, other.userID);
  const later = await record(device, 2, sound);
  await later.hear();
  await settled(others);
  expect(Object.keys(filesIn(mailTo(other.email)[1]!))).toEqual([`clip-${later.key}.wav`]);
});

test('an outside address gets sound of disclosed devices alone', async () => {
  const { server, addMail, addDevice, addFireRule, record, settled, disclose, mailServer } = await startMailing();
  const [device, channel] = [await addDevice(), await addMail('night@outside.example')];
  await server.db`update channels set confirmed_date = now() where key = ${channel}`;
  await addFireRule(channel);
  await (await record(device, 3, tinyWav(0.4))).hear();
  await settled(channel);
  expect(filesIn(mailServer.mails[0]!)).toEqual({});
  await disclose(device);
  const clip = await record(device, 2, tinyWav(0.4));
  await clip.hear();
  await settled(channel);
  expect(Object.keys(filesIn(mailServer.mails[1]!))).toEqual([`clip-${clip.key}.wav`]);
});

test('clips that are too large together, not here, or missing in the store are named and linked', async () => {
  const { server, origin, addMail, addDevice, tellHourly, record, say, settled, allJudged, correct, now, mailServer } =
    await startMailing();
  const [device, channel] = [await addDevice(), await addMail()];
  await tellHourly(channel);
  // Until the alert has all clips.
  await server.db`update channels set paused_until = now() + interval '1 hour' where key = ${channel}`;
  const first = await record(device, 40, sixMegabytes);
  const large = await record(device, 30, sixMegabytes);
  const missing = await record(device, 20, tinyWav(0.4));
  const absent = await say(device, now - 10 * minuteMs);
  await truncate(await pathOfSound(server, missing.key), 100);
  for (const { hear } of [first, large, missing]) await hear();
  await correct(absent, 'fire at the mill');
  await allJudged();
  await server.db`update channels set paused_until = null where key = ${channel}`;
  await settled(channel);
  const mail = mailServer.mails[0]!;
  const text = partOf(mail, 'text/plain');
  expect(Object.keys(filesIn(mail))).toEqual([`clip-${first.key}.wav`]);
  expect(text).toContain(`The sound of clip ${large.key} is not attached: a mail has at most 10 MB of sound.`);
  expect(text).toContain(`The sound of clip ${missing.key} is not attached: its sound is missing in the store.`);
  expect(text).toContain(`The sound of clip ${absent} is not attached: its sound is not here.`);
  expect(text).toContain(`Clip ${large.key}: ${origin}/clips/${large.key}`);
});

test('while the store fails, the mail is tried again, then sent without the sound, and the channel is not to blame', async () => {
  const { server, client, addMail, addDevice, addFireRule, record, settled, mailServer } = await startMailing();
  const [device, channel] = [await addDevice(), await addMail()];
  await addFireRule(channel);
  const clip = await record(device, 3, tinyWav(0.4));
  const path = await pathOfSound(server, clip.key);
  await rm(path);
  // A file that is a link to itself cannot be looked at.
  await symlink(path, path);
  await clip.hear();
  expect(await settled(channel)).toMatchObject([{ state: 'delivered', attempts: 4 }]);
  const text = partOf(mailServer.mails[0]!, 'text/plain');
  expect(text).toContain(`clip ${clip.key} is not attached: the mail did not arrive with it 3 times`);
  expect(mailServer.mails).toHaveLength(1);
  expect(await client.getChannel({ params: { channelID: channel } })).toMatchObject({ state: 'working' });
  expect(await client.getChannel({ params: { channelID: channel } })).not.toHaveProperty('lastFault');
});

test('a mail server that refuses the mail with its sound gets it without', async () => {
  const { addMail, addDevice, addFireRule, record, settled, mailServer } = await startMailing();
  const [device, channel] = [await addDevice(), await addMail()];
  await addFireRule(channel);
  mailServer.refusals.push({ code: 552, text: 'message too large' });
  const clip = await record(device, 3, tinyWav(0.4));
  await clip.hear();
  expect(await settled(channel)).toMatchObject([{ state: 'delivered', attempts: 1 }]);
  const mail = mailServer.mails[0]!;
  expect(filesIn(mail)).toEqual({});
  expect(partOf(mail, 'text/plain')).toContain('the mail server refused the mail with it');
});

test('of a store that fails while it is read, no mail arrives with half of the sound', async () => {
  const { server, person, addMail, addDevice, addFireRule, record, settled, alertsOf, mailServer, mail } =
    await startMailing();
  const [device, channel] = [await addDevice(), await addMail()];
  const rule = await addFireRule(channel);
  await (await record(device, 3, tinyWav(10))).hear();
  await settled(channel);
  const [alert] = await alertsOf(rule);
  const whole = openStorage({ url: '', dataDir: server.dataDir });
  const storage = {
    ...whole,
    read: async (name: string) => {
      const bytes = Buffer.concat(await (await whole.read(name)).toArray());
      return Readable.from([bytes.subarray(0, 70_000)], { objectMode: false });
    },
  };
  const signal = new AbortController().signal;
  const outbound = createOutbound({ allowNetworks: ['127.0.0.0/8'] });
  const answer = await sendWithSounds(
    { db: server.db, storage, publicOrigin: undefined },
    { alertID: alert?.key ?? 0, attempts: 1 } as TakenDelivery,
    { caller: { userID: person.userID, role: 'member', credential: 'channel' }, isOutside: false },
    ({ attached }) =>
      sendMail(
        { to: 'a@example.org', subject: 'Fire', text: 'Fire', html: 'Fire', messageID: 'm1', sounds: attached },
        mail,
        { outbound, signal, attemptMs: 5_000 },
      ),
  );
  expect(answer).toMatchObject({ outcome: 'later', said: 'the sound could not be read from the store' });
  expect(mailServer.mails).toHaveLength(1);
});

test('only a channel of the kind E-mail attaches sound', async () => {
  const { client } = await startMailing();
  const settings = { url: 'https://told.invalid/', attachesSound: true };
  await expect(
    client.createChannel({ body: { channelName: 'Night', kind: 'webhook', settings } }),
  ).rejects.toMatchObject({ status: 400 });
});
