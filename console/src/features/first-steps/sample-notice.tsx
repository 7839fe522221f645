import type { Samples } from '@earshot/contract/sample';
import { createSamples } from '@earshot/contract/sample';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { followKinds } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { may } from '../right/public.ts';

const samples: Query<Samples> = {
  key: 'samples',
  load: () => api.getSamples(),
  follow: followKinds('device'),
};

/** Says that samples are shown, and removes them. Only admins may. */
export function SampleNotice() {
  return may(createSamples) ? <ShownSamples /> : null;
}

function ShownSamples() {
  const { data } = useQuery(samples);
  const [busy, setBusy] = useState(false);
  if (!data || data.deviceIDList.length === 0) return null;
  const remove = async () => {
    setBusy(true);
    await attempt(async () => {
      for (const deviceID of data.deviceIDList) await api.deleteDevice({ params: { deviceID } });
    });
    setBusy(false);
  };
  return (
    <div class="notice">
      <p>Some of this is sample sound. Its devices are named “Sample: …”.</p>
      <Button busy={busy} onClick={() => void remove()}>
        {busy ? 'Removing…' : 'Remove samples'}
      </Button>
    </div>
  );
}
