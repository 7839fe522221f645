import type { AudioClip } from '@earshot/contract/audio-clip';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { api } from '../../app/api.ts';
import { attempt } from '../../app/attempt.ts';
import { refresh } from '../../app/query.ts';
import { say } from '../../app/toasts.ts';
import { Empty } from '../../ui/bits.tsx';
import { Button } from '../../ui/button.tsx';

interface Words {
  readonly title: string;
  readonly text: string;
  readonly ask?: string;
}

const onDevice: Words = {
  title: 'The sound is still on the device',
  text: 'Ask for it, and it plays here as soon as it has arrived.',
  ask: 'Ask for the upload',
};

const states: Readonly<Record<number, Words>> = {
  [audioClipStatus.onDevice]: onDevice,
  [audioClipStatus.uploadRequested]: {
    title: 'The device has been asked for the sound',
    text: 'It plays here as soon as it has arrived.',
    ask: 'Ask again',
  },
  [audioClipStatus.uploading]: { title: 'The sound is on its way', text: 'It plays here as soon as it has arrived.' },
  [audioClipStatus.uploadFailed]: {
    title: 'The upload has failed',
    text: 'The device may still have the sound.',
    ask: 'Ask again',
  },
  [audioClipStatus.expired]: {
    title: 'The sound has gone',
    text: 'It grew older than the device keeps its sound. What was said in it stays.',
  },
};

/** Stands where the waveform will be. */
export function NoSound({ clip }: { readonly clip: AudioClip }) {
  const { key = 0, deviceID = 0, audioClipStatus: status = 0 } = clip;
  const { title, text, ask } = states[status] ?? onDevice;
  const request = () =>
    attempt(async () => {
      await api.requestUpload({ body: { deviceID, audioClips: [key] } });
      refresh([`clip ${key}`]);
      say('The device is asked for the sound.');
    });
  return (
    <div class="card" role="status">
      <Empty
        icon={status === audioClipStatus.uploadFailed ? 'alert' : 'wave'}
        title={title}
        action={
          ask && (
            <Button kind="primary" onClick={() => void request()}>
              {ask}
            </Button>
          )
        }
      >
        {text}
      </Empty>
    </div>
  );
}
