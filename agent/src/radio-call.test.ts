import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchFolder } from './folder.ts';
import { openJournal } from './journal.ts';
import { createLog } from './log.ts';
import { wavHeader } from './wav.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-radio-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const sound = Buffer.concat([wavHeader(32_000), Buffer.alloc(32_000, 1)]);

async function findCalls() {
  const journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
  const parts = { journal, log: createLog(() => {}), onRecorded: () => {}, isUploading: () => false };
  const source = { path: join(folder, 'calls'), settleSeconds: 0, unfinishedMinutes: 10, removeUploaded: false };
  const look = watchFolder(parts, { kind: 'folder', ...source });
  const { signal } = new AbortController();
  await look(signal);
  await look(signal);
  const found = [...journal.entries.values()].map(({ path, startMs, call }) => ({
    name: path.slice(join(folder, 'calls').length + 1),
    startMs,
    call,
  }));
  await journal.close();
  return found;
}

test('the description of trunk-recorder beside a call is read, and one of two copies is taken', async () => {
  const calls = join(folder, 'calls');
  await mkdir(calls);
  const base = join(calls, '4521-1754753480_851012500.0-call_12');
  for (const ending of ['wav', 'm4a']) await writeFile(`${base}.${ending}`, sound);
  const description = {
    freq: 851_012_500.0,
    start_time: 1_754_753_480,
    stop_time: 1_754_753_490,
    emergency: 0,
    encrypted: 0,
    talkgroup: 4521,
    talkgroup_tag: 'FIRE DISP',
    talkgroup_description: 'Fire dispatch',
    talkgroup_group: 'Fire',
    talkgroup_group_tag: 'Fire Dispatch',
    short_name: 'county',
    patched_talkgroups: [4521, 4522],
    srcList: [
      { src: 1_610_018, time: 1_754_753_480, emergency: 0 },
      { src: -1, emergency: 0 },
      { src: 1_610_019, emergency: 1 },
    ],
  };
  await writeFile(`${base}.json`, JSON.stringify(description));
  // Encrypted, damaged and missing descriptions.
  await writeFile(join(calls, '9-1754753481_851.wav'), sound);
  await writeFile(join(calls, '9-1754753481_851.json'), JSON.stringify({ talkgroup: 9, encrypted: 1 }));
  await writeFile(join(calls, '10-1754753482_851012500.wav'), sound);
  await writeFile(join(calls, '10-1754753482_851012500.json'), '{"talkgroup": 1');
  expect(await findCalls()).toEqual([
    { name: '10-1754753482_851012500.wav', startMs: 1_754_753_482_000, call: undefined },
    {
      name: '4521-1754753480_851012500.0-call_12.m4a',
      startMs: 1_754_753_480_000,
      call: {
        system: 'county',
        talkgroup: 4521,
        talkgroupLabel: 'FIRE DISP',
        talkgroupName: 'Fire dispatch',
        talkgroupGroup: 'Fire',
        talkgroupTag: 'Fire Dispatch',
        unit: 1_610_018,
        units: [1_610_018, 1_610_019],
        frequency: 851_012_500,
        isEmergency: true,
        patches: [4522],
      },
    },
  ]);
});

test('the names of SDRTrunk and DSDPlus tell talkgroup, unit and local time', async () => {
  const day = join(folder, 'calls', '20220809');
  await mkdir(day, { recursive: true });
  const localMs = new Date(2022, 7, 9, 15, 31, 20).getTime();
  await writeFile(join(day, '153120_001_DMR(BS)_1-899_DCC2_Slot1_GC_750[Ram_Muni]_52.wav'), sound);
  await writeFile(join(folder, 'calls', '20220809_153120County_Site_T-Control__TO_4521_FROM_1610018.wav'), sound);
  await writeFile(join(folder, 'calls', '20220809_153121_AudioMoth.wav'), sound);
  expect(await findCalls()).toEqual([
    {
      name: '20220809/153120_001_DMR(BS)_1-899_DCC2_Slot1_GC_750[Ram_Muni]_52.wav',
      startMs: localMs,
      call: { talkgroup: 750, talkgroupLabel: 'Ram_Muni', unit: 52 },
    },
    {
      name: '20220809_153120County_Site_T-Control__TO_4521_FROM_1610018.wav',
      // Another recording has the same start.
      startMs: localMs + 1,
      call: { talkgroup: 4521, unit: 1_610_018 },
    },
    { name: '20220809_153121_AudioMoth.wav', startMs: Date.UTC(2022, 7, 9, 15, 31, 21), call: undefined },
  ]);
});
