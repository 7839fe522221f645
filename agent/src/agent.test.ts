import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { eventStatus } from '@earshot/contract/event-status';
import { needs } from '@earshot/server/testing/needs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { hashOf, makeSound, prepareAgentTests, within } from './testing/agent-device.ts';
import { wavHeaderBytes } from './wav.ts';
import { createAnyUpdate } from './testing/any-update.ts';

const ffmpeg = needs('ffmpeg');

const place = prepareAgentTests();
const { makeDevice } = place;

test('recordings of a folder are announced once, and uploaded when the platform asks', async () => {
  const { client, deviceID, start, listClips } = await makeDevice();
  const files = ['20260101_100000.WAV', '20260101_100001.WAV', 'other.wav'].map((name) => join(place.recordings, name));
  for (const [at, file] of files.entries()) await writeFile(file, makeSound(1, at + 1));
  const stop = start();
  await vi.waitFor(async () => expect(await listClips()).toHaveLength(3), within);
  const clips = await listClips();
  expect(clips.map(({ localFilePath }) => localFilePath)).toEqual(files);
  const wanted = clips.slice(1).map(({ key }) => key);
  await client.requestUpload({ body: { deviceID, audioClips: wanted } });
  await vi.waitFor(async () => {
    expect((await listClips()).map(({ status }) => status)).toEqual([
      audioClipStatus.onDevice,
      audioClipStatus.available,
      audioClipStatus.available,
    ]);
  }, within);
  for (const [at, audioClipID] of wanted.entries()) {
    const content = await client.getAudioClipContent({ params: { audioClipID } });
    expect(hashOf(new Uint8Array(await content.arrayBuffer()))).toBe(hashOf(await readFile(files[at + 1]!)));
  }
  await stop();
  // Started again, also without its journal, it announces nothing twice.
  await start()();
  await rm(join(place.folder, 'agent', 'journal'));
  const stopAgain = start();
  await writeFile(join(place.recordings, '20260101_100002.WAV'), makeSound(1, 9));
  await vi.waitFor(async () => expect(await listClips()).toHaveLength(4), within);
  await stopAgain();
});

test('sound is uploaded at once, within the limit, and removed from the folder', async () => {
  const { client, start, listClips } = await makeDevice({
    upload: 'atOnce',
    uploadKilobytesPerSecond: 40,
    sources: [{ kind: 'folder', path: place.recordings, settleSeconds: 0, removeUploaded: true }],
  });
  const file = join(place.recordings, '20260102_100000.wav');
  const sound = makeSound(3, 2);
  await writeFile(file, sound);
  const stop = start();
  await vi.waitFor(async () => {
    expect(await listClips()).toMatchObject([{ status: audioClipStatus.available }]);
    await expect(readFile(file)).rejects.toMatchObject({ code: 'ENOENT' });
  }, within);
  const [clip] = await listClips();
  const content = await client.getAudioClipContent({ params: { audioClipID: clip?.key ?? 0 } });
  expect(hashOf(new Uint8Array(await content.arrayBuffer()))).toBe(hashOf(sound));
  await stop();
});

test('events are carried out, refused with a reason, and reported', async () => {
  const { client, deviceID, start, lines, ended, send } = await makeDevice();
  const stop = start();
  const diagnostics = await send('Report_diagnostics');
  expect(diagnostics.eventStatus).toBe(eventStatus.complete);
  expect(JSON.parse(diagnostics.result ?? '')).toMatchObject({ recordings: { known: 0 } });
  expect(await send('Reboot')).toMatchObject({
    eventStatus: eventStatus.error,
    result: 'Reboot is not allowed on this device: add it to "allow" in the configuration of its agent.',
  });
  expect(await send('Upload_audio_clips', { audioClips: [123_456] })).toMatchObject({
    eventStatus: eventStatus.error,
    result: '0 of 1 uploaded; clip 123456 is not on this device',
  });
  const sendUpdate = await createAnyUpdate(place.server, client, deviceID);
  expect(await ended(await sendUpdate({ version: '1.0.0', sha256: 'a'.repeat(64) }))).toMatchObject({
    eventStatus: eventStatus.error,
    result: 'Update_software is not allowed on this device: add it to "allow" in the configuration of its agent.',
  });
  const agents = await client.listAgents({ body: { deviceID } });
  expect(new Set(agents.map(({ agentType }) => agentType))).toEqual(new Set(['Device', 'Transfer', 'Transcoding']));
  await stop();
  expect(lines.filter((line) => /error|warning/.test(line))).toEqual([]);
});

/** Receives one PUT. */
async function startReceiver() {
  const received: Buffer[] = [];
  const http = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => received.push(chunk)).on('end', () => response.end());
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void http.close());
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/put`, received };
}

test('clips are joined on the device, and the result is sent to the platform or to an address', ffmpeg, async () => {
  const { client, deviceID, start, listClips, ended } = await makeDevice({ allowNetworks: ['127.0.0.0/8'] });
  const [first, second] = [makeSound(1, 3), makeSound(1, 5)];
  await writeFile(join(place.recordings, '20260103_100000.wav'), first);
  await writeFile(join(place.recordings, '20260103_100003.wav'), second);
  const stop = start();
  await vi.waitFor(async () => expect(await listClips()).toHaveLength(2), within);
  const audioClips = (await listClips()).map(({ key }) => ({ key }));

  const kept = await client.concatenateAudioClips({ body: { deviceID, audioClips } });
  const result = JSON.parse((await ended(kept.key ?? 0)).result ?? '{}') as { fileID: number };
  expect(result).toMatchObject({ format: 'wav', durationMs: 4_000, isReencoded: false });
  const content = await client.getFileContent({ params: { fileID: result.fileID } });
  const expected = [first.subarray(wavHeaderBytes), Buffer.alloc(64_000), second.subarray(wavHeaderBytes)];
  expect(hashOf(Buffer.from(await content.arrayBuffer()).subarray(wavHeaderBytes))).toBe(
    hashOf(Buffer.concat(expected)),
  );

  const receiver = await startReceiver();
  const startEpoch = Date.UTC(2026, 0, 3, 10) / 1_000;
  const sent = await client.concatenateAudioClips({
    body: { deviceID, startEpoch, endEpoch: startEpoch + 60, gaps: 'close', format: 'flac', uploadURL: receiver.url },
  });
  const { result: sentResult = '{}' } = await ended(sent.key ?? 0);
  expect(JSON.parse(sentResult)).toEqual({
    uploadedBytes: Buffer.concat(receiver.received).length,
    format: 'flac',
    durationMs: 2_000,
    isReencoded: false,
  });
  expect(Buffer.concat(receiver.received).toString('latin1', 0, 4)).toBe('fLaC');

  await rm(join(place.recordings, '20260103_100003.wav'));
  const failed = await client.concatenateAudioClips({ body: { deviceID, audioClips } });
  // The watch of the folder may have noticed it first.
  const missing = /^The sound of clip \d+ is not on this device: (.* is missing|it was removed \(missing\))\.$/;
  expect(await ended(failed.key ?? 0)).toMatchObject({
    eventStatus: eventStatus.error,
    result: expect.stringMatching(missing) as string,
  });
  await stop();
});

test(
  'joined sound is not sent to an address that is not public, unless the configuration allows it',
  ffmpeg,
  async () => {
    const { client, deviceID, start, listClips, ended, lines } = await makeDevice();
    await writeFile(join(place.recordings, '20260103_100000.wav'), makeSound(1, 3));
    const stop = start();
    await vi.waitFor(async () => expect(await listClips()).toHaveLength(1), within);
    const receiver = await startReceiver();
    const audioClips = (await listClips()).map(({ key }) => ({ key }));
    const { key = 0 } = await client.concatenateAudioClips({ body: { deviceID, audioClips, uploadURL: receiver.url } });
    expect(await ended(key)).toMatchObject({
      eventStatus: eventStatus.error,
      result: expect.stringContaining('add its network to allowNetworks') as string,
    });
    expect(receiver.received).toEqual([]);
    await stop();
    expect(lines.join()).not.toContain('has no allowNetworks');
  },
);

test('a configuration of before allowNetworks is warned about, in the log and in the health report', async () => {
  const { client, deviceID, start, lines } = await makeDevice({ allowNetworks: undefined });
  const stop = start();
  await vi.waitFor(async () => {
    const { healthJSON = '{}' } = await client.getLatestDeviceHealth({ params: { deviceID } });
    expect(JSON.parse(healthJSON)).toMatchObject({ warnings: [expect.stringContaining('has no allowNetworks')] });
  }, within);
  await stop();
  expect(lines.join()).toContain('warning: The configuration of the agent has no allowNetworks');
});

test('settings are changed by events and by wanted values, kept, and reported', async () => {
  const { client, deviceID, start, send } = await makeDevice();
  const params = { deviceID };
  const read = async (setting_name: string) => client.getDeviceSetting({ params, query: { setting_name } });
  await client.putDeviceSetting({ params, body: { settingName: 'diskBudgetMB', settingValue: 100 } });
  let stop = start();
  await vi.waitFor(async () => {
    expect(await read('diskBudgetMB')).toMatchObject({ reportedValue: '100', isDifferent: false });
    expect(await read('upload')).toMatchObject({ reportedValue: 'requested' });
  }, within);
  expect(await send('Update_setting', { settingName: 'upload', settingValue: 'atOnce' })).toMatchObject({
    eventStatus: eventStatus.complete,
    result: 'upload is atOnce.',
  });
  expect(await read('upload')).toMatchObject({ reportedValue: 'atOnce' });
  expect(await send('Update_setting', { settingName: 'upload', settingValue: 'never' })).toMatchObject({
    result: 'upload: must be requested or atOnce',
  });
  expect(await send('Update_setting', { settingName: 'server', settingValue: 'http://elsewhere' })).toMatchObject({
    result: 'server: is not a setting',
  });
  await stop();
  // After a restart, sound is uploaded at once.
  await writeFile(join(place.recordings, '20260104_100000.wav'), makeSound(1, 2));
  stop = start();
  await vi.waitFor(async () => {
    const [clip] = await client.listAudioClips({ body: { deviceID } });
    expect(clip).toMatchObject({ audioClipStatus: audioClipStatus.available });
  }, within);
  await stop();
});

test('a restart of the device is reported by the agent that starts after it', async () => {
  const { start, enqueue, ended, send } = await makeDevice({ allow: ['Reboot', 'End_process'] });
  let rebooted = (): void => {};
  const asked = new Promise<void>((resolve) => (rebooted = resolve));
  let stop = start({ bootID: 'one', reboot: async () => rebooted() });
  expect(await send('End_process', { processID: 1 })).toMatchObject({
    eventStatus: eventStatus.error,
    result: `Process 1 is not the process of this agent, which is ${process.pid}.`,
  });
  const eventID = await enqueue('Reboot');
  await asked;
  await stop();
  stop = start({ bootID: 'two', reboot: async () => {} });
  expect(await ended(eventID)).toMatchObject({
    eventStatus: eventStatus.complete,
    result: 'The device has restarted.',
  });
  await stop();
});
