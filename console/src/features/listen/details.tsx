import type { AudioClip } from '@earshot/contract/audio-clip';
import type { AudioClipRecording } from '@earshot/contract/audio-clip-recording';
import type { Device } from '@earshot/contract/device';
import { lockAudioClip } from '@earshot/contract/audio-clip-retention';
import { exportCustody } from '@earshot/contract/custody';
import type { ComponentChildren } from 'preact';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { soundAddress } from '../../lib/player.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { Section, UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { sizeText } from '../../lib/ui/size-text.ts';
import { Time } from '../../lib/ui/time.tsx';
import { dateAndTime, isElsewhere } from '../../lib/ui/times.ts';
import { isAvailable, startOf } from '../audio-clip/public.ts';
import { may } from '../right/public.ts';
import { CustodyButton } from './custody-button.tsx';
import { soundFactsOf, lockOf, showUndoToast, useCaption } from './data.ts';
import { soundFactsText } from './sound-facts.ts';

interface DetailsProps {
  readonly clip: AudioClip;
  readonly device: Device | undefined;
  readonly recording: AudioClipRecording | undefined;
}

export function Details({ clip, device, recording }: DetailsProps) {
  const begin = new Date(startOf(clip));
  const { data: sound } = useQuery(soundFactsOf(clip.key ?? 0));
  const { filename, grownFromID } = recording ?? {};
  const facts: readonly (readonly [name: string, content: ComponentChildren])[] = [
    ['File', filename === undefined ? undefined : <UserText text={filename} />],
    ['Continues', grownFromID === undefined ? undefined : <a href={`/clips/${grownFromID}`}>clip {grownFromID}</a>],
    ['Recorded', dateAndTime(begin)],
    ['Device time', isElsewhere(begin, device?.timeZone) ? dateAndTime(begin, device?.timeZone) : undefined],
    ['Sound', sound && soundFactsText(sound)],
    ['Size', clip.fileSize ? sizeText(clip.fileSize) : undefined],
    ['ID', String(clip.key)],
  ];
  return (
    <Section title="Details">
      <dl class="facts">
        {facts.map(([name, content]) =>
          content === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{content}</dd>
            </div>
          ),
        )}
      </dl>
      <div class="clip-actions">
        <Downloads clip={clip} />
        {may(lockAudioClip, { deviceID: clip.deviceID }) && <Lock clipID={clip.key ?? 0} />}
        {may(exportCustody, { deviceID: clip.deviceID }) && <CustodyButton clipID={clip.key ?? 0} />}
      </div>
      <LockNote clipID={clip.key ?? 0} />
    </Section>
  );
}

function Downloads({ clip }: { readonly clip: AudioClip }) {
  const { key = 0 } = clip;
  const { data: caption } = useCaption(clip);
  const ofSound = [['Audio', soundAddress(key)]] as const;
  const ofWords = [
    ['.vtt', `/v1/caption/${key}.vtt`],
    ['.srt', `/v1/caption/${key}.srt`],
  ] as const;
  const links = [...(isAvailable(clip) ? ofSound : []), ...(caption ? ofWords : [])];
  if (links.length === 0) return null;
  return (
    <div class="downloads" role="group" aria-label="Download">
      {links.map(([text, href]) => (
        <a key={href} class="button small" href={href} download={text === 'Audio' ? '' : `clip-${key}${text}`}>
          <Icon name="download" />
          <span>{text}</span>
        </a>
      ))}
    </div>
  );
}

/** Why changes are refused. */
function LockNote({ clipID }: { readonly clipID: number }) {
  const { data: lock } = useQuery(lockOf(clipID));
  if (lock?.locked !== true) return null;
  return (
    <p class="facts-note">
      Locked
      {lock.lockDate && (
        <>
          {' '}
          <Time date={lock.lockDate} />
        </>
      )}
      : its audio, times and device stay as they are. Unlock the clip to replace its audio, change its times, or delete
      it.
    </p>
  );
}

function Lock({ clipID }: { readonly clipID: number }) {
  const { data: lock } = useQuery(lockOf(clipID));
  if (!lock) return null;
  const params = { audioClipID: clipID };
  const set = async (locked: boolean) => {
    await (locked ? api.lockAudioClip({ params }) : api.unlockAudioClip({ params }));
    refresh([`clip lock ${clipID}`]);
  };
  const isLocked = lock.locked === true;
  const change = () =>
    attempt(async () => {
      await set(!isLocked);
      const text = isLocked ? 'The clip is unlocked.' : 'The clip is locked.';
      showUndoToast(text, () => set(isLocked));
    });
  return (
    <button
      class="button small toggle"
      type="button"
      aria-pressed={isLocked}
      title="A locked clip keeps its audio, times and device, and is not deleted"
      onClick={() => void change()}
    >
      <Icon name={isLocked ? 'lock' : 'unlock'} />
      <span>{isLocked ? 'Locked' : 'Lock'}</span>
    </button>
  );
}
