import { createHash } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import { eventStatus, isFinal } from '@earshot/contract/event-status';
import type { SimulatedDevice } from './device.ts';
import { eachOf, patiently } from './fleet.ts';

/** What the server has, compared with what the devices know. Every list of faults is empty if all is well. */
export interface CheckResult {
  readonly announcedClips: number;
  readonly sentEvents: number;
  readonly uploadedClips: number;
  readonly faults: readonly string[];
}

export interface CheckOptions {
  readonly client: Client;
  readonly devices: readonly SimulatedDevice[];
  /** The events that were sent with a key in the response. */
  readonly sentEvents: ReadonlyMap<number, number>;
  /** Events whose sender had no answer. */
  readonly unansweredEvents?: ReadonlySet<number>;
  readonly sinceMs: number;
  readonly onProgress: (text: string) => void;
}

const devicesInFilter = 500;
const pageSize = 1_000;

export async function checkResults(options: CheckOptions): Promise<CheckResult> {
  const faults: string[] = [];
  options.onProgress('comparing clips');
  const listed = await checkClips(options, faults);
  options.onProgress('comparing events');
  const sentEvents = await checkEvents(options, faults);
  const uploads = options.devices.flatMap(({ clips }) =>
    clips.filter(({ uploadedHash }) => uploadedHash !== undefined),
  );
  let compared = 0;
  await eachOf(uploads.length, async (at) => {
    const { clipID = 0, uploadedHash } = uploads[at]!;
    options.onProgress(`comparing sound ${(compared += 1)} of ${uploads.length}`);
    if (!listed.get(clipID)) return void faults.push(`clip ${clipID} was uploaded but is not available`);
    const response = await patiently(() => options.client.getAudioClipContent({ params: { audioClipID: clipID } }));
    const hash = createHash('sha256').update(new Uint8Array(await response.arrayBuffer()));
    if (hash.digest('hex') !== uploadedHash) faults.push(`the sound of clip ${clipID} is not what was uploaded`);
  });
  return {
    announcedClips: options.devices.flatMap(({ clips }) => clips.filter(({ clipID }) => clipID !== undefined)).length,
    sentEvents,
    uploadedClips: uploads.length,
    faults,
  };
}

/** Every announced clip is listed exactly once, and nothing else is. Returns which clips have sound, by key. */
async function checkClips({ client, devices, sinceMs }: CheckOptions, faults: string[]): Promise<Map<number, boolean>> {
  const hasSound = new Map<number, boolean>();
  for (let first = 0; first < devices.length; first += devicesInFilter) {
    const some = devices.slice(first, first + devicesInFilter);
    const expected = new Map(
      some.flatMap(({ deviceID, clips }) =>
        clips.flatMap(({ clipID, startMs }) =>
          clipID === undefined ? [] : [[clipID, { deviceID, startMs }] as const],
        ),
      ),
    );
    const listed = new Set<number>();
    const filter = { deviceIDList: some.map(({ deviceID }) => deviceID), startEpoch: Math.floor(sinceMs / 1_000) };
    for (let cursor: string | undefined, isLast = false; !isLast;) {
      const body = { ...filter, count: pageSize, ...(cursor === undefined ? {} : { cursor }) };
      const page = await patiently(() => client.listAudioClipPage({ body }));
      for (const { key = 0, deviceID, startTime = 0, startTimeMs = 0, fileID } of page.results) {
        const clip = expected.get(key);
        const startMs = startTime * 1_000 + startTimeMs;
        if (listed.has(key)) faults.push(`clip ${key} is listed twice`);
        else if (!clip) faults.push(`clip ${key} of device ${deviceID} is listed but no device announced it`);
        else if (clip.deviceID !== deviceID || clip.startMs !== startMs)
          faults.push(`clip ${key} is another recording`);
        listed.add(key);
        hasSound.set(key, fileID !== undefined);
      }
      cursor = page.next;
      isLast = cursor === undefined;
    }
    for (const clipID of expected.keys()) {
      if (!listed.has(clipID)) faults.push(`clip ${clipID} was announced but is not listed`);
    }
  }
  return hasSound;
}

/** Every event was taken once and ended once, by the accounts of both sides. Returns how many there were. */
async function checkEvents(options: CheckOptions, faults: string[]): Promise<number> {
  const { client, devices, sentEvents, unansweredEvents } = options;
  const counts = new Map(devices.flatMap(({ events }) => [...events]));
  for (const eventID of sentEvents.keys()) {
    if (!counts.has(eventID)) faults.push(`event ${eventID} was sent but not taken`);
  }
  const takesOfClip = new Map<number, number>();
  for (const [eventID, { takes, ends, clipIDs }] of counts) {
    if (takes !== 1) faults.push(`event ${eventID} was taken ${takes} times`);
    if (ends !== 1) faults.push(`event ${eventID} was ended ${ends} times`);
    const isSent = clipIDs.length > 0 || sentEvents.has(eventID) || unansweredEvents?.has(eventID);
    if (!isSent) faults.push(`event ${eventID} was taken but never sent`);
    for (const clipID of clipIDs) takesOfClip.set(clipID, (takesOfClip.get(clipID) ?? 0) + 1);
  }
  for (const { clips } of devices) {
    for (const { clipID = 0, isRequested } of clips) {
      const takes = takesOfClip.get(clipID) ?? 0;
      const expected = isRequested ? 1 : 0;
      const mayDiffer = isRequested === 'unanswered' && takes === 0;
      if (clipID !== 0 && takes !== expected && !mayDiffer) {
        faults.push(`clip ${clipID} was requested ${expected} times, and its upload was taken ${takes} times`);
      }
    }
  }
  const eventIDs = [...new Set([...sentEvents.keys(), ...counts.keys()])];
  await eachOf(eventIDs.length, async (at) => {
    const eventID = eventIDs[at] ?? 0;
    const history = await patiently(() => client.listEventHistory({ params: { eventID } }));
    const states = history.map(({ toStatus = 0 }) => toStatus);
    const takes = states.filter((state) => state === eventStatus.checkedOut).length;
    const ends = states.filter(isFinal);
    if (takes !== 1) faults.push(`the history of event ${eventID} has ${takes} takes`);
    if (ends.length !== 1) faults.push(`the history of event ${eventID} has ${ends.length} ends`);
    else if (ends[0] !== eventStatus.complete) faults.push(`event ${eventID} did not complete`);
  });
  return eventIDs.length;
}
