import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { eventStatus } from '@earshot/contract/event-status';
import { expect, test, vi } from 'vitest';
import { hashOf, makeSound, prepareAgentTests, within } from './testing/agent-device.ts';

const place = prepareAgentTests();
const { makeDevice } = place;

test('files that are no sound, cut, or oddly named stop no other; they are set aside, shown, and tried again', async () => {
  const source = { kind: 'folder', path: place.recordings, settleSeconds: 0, unfinishedMinutes: 0 };
  const { client, deviceID, start, listClips, lines, send } = await makeDevice({ upload: 'atOnce', sources: [source] });
  const fine = ['20260105_100000.wav', '20260105_100001.wav', '20260105_100002.wav'];
  for (const [at, name] of fine.entries()) await writeFile(join(place.recordings, name), makeSound(1, at + 2));
  await writeFile(join(place.recordings, '0-junk.wav'), 'RIFF junk.');
  await writeFile(join(place.recordings, '1-cut.wav'), makeSound(1, 9).subarray(0, 30));
  const latin = Buffer.concat([Buffer.from(`${place.recordings}/2-caf`), Buffer.from([0xe9]), Buffer.from('.wav')]);
  await writeFile(latin, makeSound(1, 7));
  const stop = start();
  await vi.waitFor(async () => {
    const arrived = (await listClips()).filter(({ status }) => status === audioClipStatus.available);
    expect(arrived.map(({ localFilePath }) => localFilePath.slice(place.recordings.length + 1)).toSorted()).toEqual(
      [...fine, String.raw`2-caf\xe9.wav`].toSorted(),
    );
    expect(lines.filter((line) => line.includes('set aside'))).toHaveLength(2);
  }, within);
  const report = JSON.parse((await send('Report_diagnostics')).result ?? '') as {
    recordings: { setAside: number; setAsideFiles: { path: string; reason: string }[] };
  };
  expect(report.recordings.setAside).toBe(2);
  expect(report.recordings.setAsideFiles.map(({ path }) => path)).toEqual(
    ['0-junk.wav', '1-cut.wav'].map((name) => join(place.recordings, name)),
  );
  // The recorder completes one of them; somebody asks to try again.
  await writeFile(join(place.recordings, '1-cut.wav'), makeSound(1, 9));
  expect(await send('Retry_recordings')).toMatchObject({ eventStatus: eventStatus.complete });
  await vi.waitFor(async () => {
    const arrived = await client.listAudioClips({ body: { deviceID, count: 100 } });
    expect(arrived.filter((clip) => clip.audioClipStatus === audioClipStatus.available)).toHaveLength(5);
  }, within);
  await stop();
});

test('a file that grew after its upload is a second clip, and the first one stays', async () => {
  const source = { kind: 'folder', path: place.recordings, settleSeconds: 0, unfinishedMinutes: 0 };
  const { client, start, listClips } = await makeDevice({ upload: 'atOnce', sources: [source] });
  const path = join(place.recordings, '20260106_100000.wav');
  const sound = makeSound(2, 3);
  await writeFile(path, sound.subarray(0, 40_000));
  const stop = start();
  const available = async () => (await listClips()).filter(({ status }) => status === audioClipStatus.available);
  await vi.waitFor(async () => expect(await available()).toHaveLength(1), within);
  await writeFile(path, sound);
  await vi.waitFor(async () => expect(await available()).toHaveLength(2), within);
  await stop();
  const hashes: string[] = [];
  for (const { key } of await available()) {
    const content = await client.getAudioClipContent({ params: { audioClipID: key } });
    hashes.push(hashOf(new Uint8Array(await content.arrayBuffer())));
  }
  expect(hashes).toEqual([hashOf(sound.subarray(0, 40_000)), hashOf(sound)]);
});

test('a file that grew arrives although somebody deleted the clip of what it was', async () => {
  const source = { kind: 'folder', path: place.recordings, settleSeconds: 0, unfinishedMinutes: 0 };
  const { client, start, listClips } = await makeDevice({ upload: 'atOnce', sources: [source] });
  const path = join(place.recordings, '20260107_100000.wav');
  const sound = makeSound(2, 3);
  await writeFile(path, sound.subarray(0, 40_000));
  const available = async () => (await listClips()).filter(({ status }) => status === audioClipStatus.available);
  const stop = start();
  await vi.waitFor(async () => expect(await available()).toHaveLength(1), within);
  const [former] = await available();
  await client.deleteAudioClip({ params: { audioClipID: former!.key } });
  await writeFile(path, sound);
  await vi.waitFor(async () => expect(await available()).toHaveLength(1), within);
  await stop();
  const [now] = await available();
  expect(now!.key).not.toBe(former!.key);
});

test('every name is the name of its recording, readable and never refused', async () => {
  const { client, start, listClips } = await makeDevice({ upload: 'atOnce' });
  const names = [
    ['caf\xe9.wav', String.raw`caf\xe9.wav`],
    ['\xff\xfe.wav', String.raw`\xff\xfe.wav`],
    ['two\nlines\t\x1b[31m.wav', String.raw`two\x0alines\x09\x1b[31m.wav`],
    [String.raw`C:\a.wav`, String.raw`C:\\a.wav`],
    ['a.wav', 'a.wav'],
    [`${'\xff'.repeat(251)}.wav`, String.raw`\xff`.repeat(64).slice(0, 255)],
  ] as const;
  for (const [at, [name]] of names.entries())
    await writeFile(Buffer.from(`${place.recordings}/${name}`, 'latin1'), makeSound(1, at + 2));
  const stop = start();
  const arrived = async () => (await listClips()).filter(({ status }) => status === audioClipStatus.available);
  await vi.waitFor(async () => expect(await arrived()).toHaveLength(names.length), within);
  await stop();
  const shown: string[] = [];
  for (const { key } of await arrived())
    shown.push((await client.getAudioClipRecording({ params: { audioClipID: key } })).filename ?? '');
  expect(shown.toSorted()).toEqual(names.map(([, expected]) => expected).toSorted());
});
