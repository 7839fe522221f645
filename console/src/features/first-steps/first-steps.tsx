import { createSamples } from '@earshot/contract/sample';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { refresh } from '../../lib/query.ts';
import { Button, LinkButton } from '../../lib/ui/button.tsx';
import { may } from '../right/public.ts';
import { FilePicker } from '../upload/public.tsx';
import { FirstSound } from './first-sound.tsx';

/** Shown while there is no sound: the ways to get some, the quickest first. */
export function FirstSteps() {
  return (
    <div class="first-steps">
      <FirstSound />
      <FilePicker />
      <ul class="first-ways">
        <li class="card padded">
          <h2>Record ten seconds</h2>
          <p>Speak into the microphone of this computer, and find your words.</p>
          <LinkButton icon="microphone" href="/record">
            Record
          </LinkButton>
        </li>
        {may(createSamples) && <SampleCard />}
        <li class="card padded">
          <h2>Connect a recorder</h2>
          <p>A Linux board, trunk-recorder, SDRTrunk, an AudioMoth, or a script of your own.</p>
          <LinkButton icon="device" href="/connect">
            Connect
          </LinkButton>
        </li>
      </ul>
    </div>
  );
}

function SampleCard() {
  const [busy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    await attempt(async () => {
      await api.createSamples();
      refresh(['samples']);
    });
    setBusy(false);
  };
  return (
    <li class="card padded">
      <h2>Try sample recordings</h2>
      <p>Three devices with spoken sentences, made on this server. You can remove them with one click.</p>
      <Button icon="wave" busy={busy} onClick={() => void make()}>
        {busy ? 'Making recordings…' : 'Make samples'}
      </Button>
    </li>
  );
}
