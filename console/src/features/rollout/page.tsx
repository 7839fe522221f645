import { nameBuild } from '@earshot/contract/build-name';
import { createRollout } from '@earshot/contract/rollout';
import { useState } from 'preact/hooks';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { allDevices } from '../device/public.ts';
import { may } from '../right/public.ts';
import { allRollouts, releases, useSteps } from './data.ts';
import { isActive } from './progress.ts';
import { RolloutCard } from './rollout-card.tsx';
import { RolloutDialog } from './rollout-dialog.tsx';

/** Updates of the agent, in stages. */
export function UpdatesPage() {
  const rollouts = useQuery(allRollouts);
  const known = useQuery(releases);
  const [starting, setStarting] = useState(false);
  useSteps(rollouts.data?.some(isActive) ?? false);
  const hasReleases = (known.data?.length ?? 0) > 0;
  const mayStart = useQuery(allDevices).data?.some(({ key }) => may(createRollout, { deviceID: key })) ?? false;
  const current = known.data?.find((release) => release.current);
  return (
    <>
      <PageHead
        title="Updates"
        under={
          <span>
            {current
              ? `This server has agent ${nameBuild(current.version ?? '', current.sha256 ?? '')}.`
              : 'This server has no agent to install.'}
          </span>
        }
        actions={
          hasReleases &&
          mayStart && (
            <Button kind="primary" icon="download" onClick={() => setStarting(true)}>
              Update devices
            </Button>
          )
        }
      />
      <WhenLoaded from={rollouts}>
        {(list) =>
          list.length === 0 ? (
            <div class="card">
              <Empty icon="download" title="No updates yet">
                An update goes to one device first, then to more, and stops when devices fail. You can take it back.
                {hasReleases
                  ? ''
                  : ' This server has no version of the agent: run npm run build there, then restart it.'}
              </Empty>
            </div>
          ) : (
            <div class="stack">
              {list.map((rollout) => (
                <RolloutCard key={rollout.key} rollout={rollout} />
              ))}
            </div>
          )
        }
      </WhenLoaded>
      {starting && known.data && <RolloutDialog releases={known.data} onClose={() => setStarting(false)} />}
    </>
  );
}
