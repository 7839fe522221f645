import type { AudioClip } from '@earshot/contract/audio-clip';
import type { AudioClipRecording } from '@earshot/contract/audio-clip-recording';
import type { Device } from '@earshot/contract/device';
import type { ComponentChildren } from 'preact';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { soundAddress } from '../../lib/player.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { Section, UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { sizeText } from '../../lib/ui/size-text.ts';
import { dateAndTime, isElsewhere } from '../../lib/ui/times.ts';
import { isAvailable, startOf } from '../audio-clip/public.ts';
import { mayWrite } from '../right/public.ts';
import { lockOf, showUndoToast, useCaption } from './data.ts';

interface DetailsProps {
  readonly clip: AudioClip;
  readonly device: Device | undefined;
  readonly recording: AudioClipRecording | undefined;
}

export function Details({ clip, device, recording }: DetailsProps) {
  const begin = new Date(startOf(clip));
  const { filename, grownFromID } = recording ?? {};
  const facts: readonly (readonly [name: string, content: ComponentChildren])[] = [
    ['File', filename === undefined ? undefined : <UserText text={filename} />],
    ['Continues', grownFromID === undefined ? undefined : <a href={`/clips/${grownFromID}`}>clip {grownFromID}</a>],
    ['Recorded', dateAndTime(begin)],
    ['Device time', isElsewhere(begin, device?.timeZone) ? dateAndTime(begin, device?.timeZone) : undefined],
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
        {mayWrite(clip.deviceID) && <Lock clipID={clip.key ?? 0} />}
      </div>
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
      title="A locked clip is not deleted when its retention period ends"
      onClick={() => void change()}
    >
      <Icon name={isLocked ? 'lock' : 'unlock'} />
      <span>{isLocked ? 'Locked' : 'Lock'}</span>
    </button>
  );
}
