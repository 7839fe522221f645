import type { Client } from '@earshot/client/client';
import type { FormPart, SentCall } from '../field/curl-form.ts';
import { curlForm, trunkRecorderCall, trunkRecorderMeta } from '../field/curl-form.ts';
import { makeSound, timeWords } from './speech.ts';

/** Demo radio calls: a scanner of a county with several talkgroups, one emergency, one call with a wrong clock. */

const groups = [
  [4521, 'FIRE DISP', 'County fire dispatch', 'Fire', 'Fire Dispatch'],
  [4530, 'EMS TAC 2', 'Ambulance, tactical channel 2', 'Ambulance', 'EMS-Tac'],
  [4600, 'PW ROADS', 'Road service', 'Public works', 'Public Works'],
] as const;

const said: readonly (readonly [talkgroup: number, minutesAgo: number, transcript: string])[] = [
  [4521, 4, 'Engine five, respond to the ferry landing. Smoke reported on the quay.'],
  [4521, 9, 'Engine five is on the way.'],
  [4530, 12, 'Ambulance two, at the hospital, available in ten minutes.'],
  [4600, 31, 'The sand truck is at the north gate.'],
];

export interface DemoRadio {
  readonly deviceID: number;
  /** An emergency. */
  readonly clipID: number;
  /** A call of a recorder whose clock was off. */
  readonly clockOffClipID: number;
}

export async function uploadCall(url: string, path: string, parts: readonly FormPart[]): Promise<void> {
  const response = await fetch(new URL(path, url), { method: 'POST', ...curlForm(parts) });
  const text = await response.text();
  if (!text.startsWith('Call imported')) throw new Error(`the upload was answered ${response.status}: ${text}`);
}

export async function makeDemoRadio(url: string, admin: Client): Promise<DemoRadio> {
  const body = { uploadKeyDescription: 'Scanner in the attic', transcribe: true };
  const { secret: key = '' } = await admin.createUploadKey({ body });
  await admin.createUploadKey({ body: { uploadKeyDescription: 'SDRTrunk at the depot' } });
  const now = Math.floor(Date.now() / 1_000);
  const call = (talkgroup: number, startTime: number, transcript: string): SentCall => {
    const words = timeWords(transcript);
    return { key, talkgroup, startTime, sound: makeSound(words, (words.at(-1)?.endMs ?? 0) / 1_000 + 0.5) };
  };
  for (const [talkgroup, minutesAgo, transcript] of said) {
    const sent = call(talkgroup, now - minutesAgo * 60, transcript);
    await uploadCall(url, '/api/call-upload', trunkRecorderCall(sent));
  }
  const mayday = 'Emergency, emergency. Engine five needs help at the ferry landing.';
  await uploadCall(url, '/api/trunk-recorder-call-upload', trunkRecorderMeta(call(4521, now - 120, mayday)));
  const late = call(4600, now - 400 * 86_400, 'This recorder has lost its clock.');
  await uploadCall(url, '/api/call-upload', trunkRecorderCall(late));

  const find = async (filter: { readonly isEmergency?: boolean; readonly talkgroup?: number }) =>
    (await admin.listAudioClipPage({ body: { ...filter, order: 'asc' } })).results;
  const [emergency] = await find({ isEmergency: true });
  const [clockOff] = await find({ talkgroup: 4600 });
  const deviceID = emergency?.deviceID ?? 0;
  for (const [talkgroup, talkgroupLabel, talkgroupName, talkgroupGroup, talkgroupTag] of groups) {
    const names = { talkgroupLabel, talkgroupName, talkgroupGroup, talkgroupTag };
    await admin.updateTalkgroup({ params: { deviceID }, body: { talkgroup, ...names } });
  }
  await admin.correctCaption({ params: { captionID: emergency?.key ?? 0 }, body: { transcript: mayday } });
  return { deviceID, clipID: emergency?.key ?? 0, clockOffClipID: clockOff?.key ?? 0 };
}
