import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { signedInUser } from '../../lib/session.ts';
import { viewerZone, wallTime } from '../../lib/ui/clock.ts';
import { Section } from '../../lib/ui/elements.tsx';
import { addRecordingDevice } from './upload-device.tsx';
import { FileRow } from './file-row.tsx';
import { addRecorded } from './list.ts';
import { continueUploads } from './queue.ts';
import { uploadItems } from './state.ts';

/** Recordings of this browser belong to a device of their own, one for each user. */
const deviceKeyOf = (userID: number): string => `earshot-microphone-${userID}`;
const extensions: Readonly<Record<string, string>> = { 'audio/webm': 'webm', 'audio/ogg': 'ogg', 'audio/mp4': 'm4a' };
const recordedName = /^recording /;

async function microphoneDeviceID(): Promise<number> {
  const storageKey = deviceKeyOf(signedInUser().userID ?? 0);
  const known = Number(localStorage.getItem(storageKey) ?? 0);
  if (known > 0 && (await isThere(known))) return known;
  const made = await addRecordingDevice('This browser');
  localStorage.setItem(storageKey, String(made));
  return made;
}

/** The device may have been deleted. */
async function isThere(deviceID: number): Promise<boolean> {
  const { devices } = await api.listRights({ body: { deviceIDs: [deviceID] } });
  return devices.some(({ right }) => right !== 'read');
}

/** Uploads what was recorded in the browser. */
export async function addRecording(sound: Blob, startMs: number): Promise<void> {
  await attempt(async () => {
    const deviceID = await microphoneDeviceID();
    const time = wallTime(startMs, viewerZone()).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.');
    const name = `recording ${time}.${extensions[sound.type] ?? 'webm'}`;
    addRecorded(new File([sound], name, { type: sound.type, lastModified: startMs }), startMs, deviceID);
    continueUploads();
  });
}

/** What was recorded since the page was opened, and its words. */
export function UploadedRecordings() {
  const recorded = uploadItems.value.filter(({ name }) => recordedName.test(name)).toReversed();
  if (recorded.length === 0) return null;
  return (
    <Section title="Recorded">
      <ul class="rows" aria-live="polite">
        {recorded.map((item) => (
          <FileRow key={item.id} item={item} />
        ))}
      </ul>
    </Section>
  );
}
