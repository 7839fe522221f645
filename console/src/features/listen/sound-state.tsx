import type { AudioClip } from '@earshot/contract/audio-clip';
import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import { requestUpload } from '@earshot/contract/audio-clip';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { refresh } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty } from '../../lib/ui/elements.tsx';
import { may } from '../right/public.ts';

interface Words {
  readonly title: string;
  readonly text: string;
  readonly ask?: string;
}

const onDevice: Words = {
  title: 'The audio is on the device',
  text: 'Request the upload to play the clip.',
  ask: 'Request upload',
};

const states: Readonly<Record<number, Words>> = {
  [audioClipStatus.onDevice]: onDevice,
  [audioClipStatus.uploadRequested]: {
    title: 'Upload requested',
    text: 'You can play the clip when the upload is complete.',
    ask: 'Retry',
  },
  [audioClipStatus.uploading]: { title: 'Uploading', text: 'You can play the clip when the upload is complete.' },
  [audioClipStatus.uploadFailed]: {
    title: 'The upload failed',
    text: 'The audio may still be on the device.',
    ask: 'Retry',
  },
  [audioClipStatus.expired]: {
    title: 'The audio has expired',
    text: 'The audio was deleted when its retention period ended. The transcript is kept.',
  },
};

/** Shown instead of the player while the audio is not available. */
export function NoSound({ clip }: { readonly clip: AudioClip }) {
  const { key = 0, deviceID = 0, audioClipStatus: status = 0 } = clip;
  const { title, text, ask } = states[status] ?? onDevice;
  const request = () =>
    attempt(async () => {
      await api.requestUpload({ body: { deviceID, audioClips: [key] } });
      refresh([`clip ${key}`]);
      showToast('Upload requested.');
    });
  return (
    <div class="card" role="status">
      <Empty
        icon={status === audioClipStatus.uploadFailed ? 'alert' : 'wave'}
        title={title}
        action={
          ask &&
          may(requestUpload, { deviceID }) && (
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
