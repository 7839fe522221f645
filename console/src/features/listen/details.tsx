import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Device } from '@earshot/contract/device';
import { api } from '../../app/api.ts';
import { attempt } from '../../app/attempt.ts';
import { refresh, useQuery } from '../../app/query.ts';
import { Section } from '../../ui/bits.tsx';
import { Icon } from '../../ui/icon.tsx';
import { captionOf, hasSound, lockOf, sayDone, startMsOf } from './data.ts';
import { soundAddress } from './player.ts';
import { dayAndTime, isElsewhere } from './times.ts';

interface DetailsProps {
  readonly clip: AudioClip;
  readonly device: Device | undefined;
}

export function Details({ clip, device }: DetailsProps) {
  const begin = new Date(startMsOf(clip));
  const facts: readonly (readonly [name: string, text: string | undefined])[] = [
    ['Recorded', dayAndTime(begin)],
    ['Device time', isElsewhere(begin, device?.timeZone) ? dayAndTime(begin, device?.timeZone) : undefined],
    ['Size', clip.fileSize ? sizeText(clip.fileSize) : undefined],
    ['ID', String(clip.key)],
  ];
  return (
    <Section title="Details">
      <dl class="facts">
        {facts.map(([name, text]) =>
          text === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{text}</dd>
            </div>
          ),
        )}
      </dl>
      <div class="clip-actions">
        <Downloads clip={clip} />
        <Lock clipID={clip.key ?? 0} />
      </div>
    </Section>
  );
}

function Downloads({ clip }: { readonly clip: AudioClip }) {
  const { key = 0 } = clip;
  const { data: caption } = useQuery(captionOf(key));
  const ofSound = [['Audio', soundAddress(key)]] as const;
  const ofWords = [
    ['.vtt', `/v1/caption/${key}.vtt`],
    ['.srt', `/v1/caption/${key}.srt`],
  ] as const;
  const links = [...(hasSound(clip) ? ofSound : []), ...(caption ? ofWords : [])];
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
      sayDone(text, () => set(isLocked));
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

function sizeText(bytes: number): string {
  return bytes >= 1_000_000 ? `${(bytes / 1_000_000).toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1_000))} KB`;
}
