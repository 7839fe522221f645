import { nameBuild } from '@earshot/contract/build-name';
import type { Rollout, RolloutDevice } from '@earshot/contract/rollout';
import { useEffect, useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { refresh, useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Badge, Progress, UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { oneRollout } from './data.ts';
import type { StageProgress } from './progress.ts';
import { deviceTexts, progressOf, stateTexts } from './progress.ts';

/** A rollout with its stages, and what a person can do about it. */
export function RolloutCard({ rollout }: { readonly rollout: Rollout }) {
  const { key: rolloutID = 0, version = '', sha256 = '', rolloutState = 'running', reason, creationDate } = rollout;
  const [isOpen, setOpen] = useState(false);
  const { text, tone } = stateTexts[rolloutState];
  return (
    <section class="card padded stack" aria-label={`Update to ${version}, ${rolloutID}`}>
      <div class="rollout-head">
        <h2>Agent {nameBuild(version, sha256)}</h2>
        <Badge tone={tone}>{text}</Badge>
        {creationDate && (
          <span class="quiet">
            <Time date={creationDate} />
          </span>
        )}
      </div>
      {reason && <p>{reason}</p>}
      <ul class="rollout-stages">
        {progressOf(rollout).map((stage) => (
          <Stage key={stage.stage} progress={stage} />
        ))}
      </ul>
      <RolloutActions rollout={rollout} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      {isOpen && <Devices rollout={rollout} />}
    </section>
  );
}

function Stage({ progress }: { readonly progress: StageProgress }) {
  const { stage, total, ended, failed } = progress;
  const name = `Stage ${stage + 1}: ${total === 1 ? '1 device' : `${total} devices`}`;
  return (
    <li>
      <span>
        {name}
        {failed > 0 && <span class="quiet">, {failed} failed</span>}
      </span>
      <Progress
        value={(100 * ended) / total}
        label={name}
        tone={failed > 0 ? 'bad' : ended === total ? 'good' : 'busy'}
      />
    </li>
  );
}

interface RolloutActionsProps {
  readonly rollout: Rollout;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function RolloutActions({ rollout, isOpen, onToggle }: RolloutActionsProps) {
  const { key: rolloutID = 0, rolloutState } = rollout;
  const [busy, setBusy] = useState(false);
  const act = async (change: (request: { params: { rolloutID: number } }) => Promise<unknown>) => {
    setBusy(true);
    await attempt(() => change({ params: { rolloutID } }));
    refresh(['rollout']);
    setBusy(false);
  };
  const mayTakeBack = rolloutState === 'running' || rolloutState === 'stopped' || rolloutState === 'done';
  return (
    <div class="rollout-actions">
      {rolloutState === 'running' && (
        <Button small icon="pause" busy={busy} onClick={() => void act((request) => api.stopRollout(request))}>
          Stop
        </Button>
      )}
      {rolloutState === 'stopped' && (
        <Button small icon="play" busy={busy} onClick={() => void act((request) => api.continueRollout(request))}>
          Continue
        </Button>
      )}
      {mayTakeBack && (
        <Button small icon="history" busy={busy} onClick={() => void act((request) => api.takeBackRollout(request))}>
          Take back
        </Button>
      )}
      <Button small kind="quiet" onClick={onToggle}>
        {isOpen ? 'Hide devices' : 'Show devices'}
      </Button>
    </div>
  );
}

function Devices({ rollout }: { readonly rollout: Rollout }) {
  const { key: rolloutID = 0 } = rollout;
  const loaded = useQuery(oneRollout(rolloutID));
  // The last change of the list may come after the last change of an event.
  const changed = JSON.stringify(rollout);
  useEffect(() => refresh([`rollout ${rolloutID}`]), [changed]);
  return (
    <WhenLoaded from={loaded} rows={2}>
      {({ devices }) => (
        <ul class="rows">
          {devices.map((device) => (
            <DeviceRow key={device.deviceID} device={device} />
          ))}
        </ul>
      )}
    </WhenLoaded>
  );
}

function DeviceRow({ device }: { readonly device: RolloutDevice }) {
  const { deviceID, deviceName, deviceState = 'waiting', reason, version, stage = 0, eventID } = device;
  const { text, tone } = deviceTexts[deviceState];
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-main">
          <a class="row-title" href={`/devices/${deviceID}`}>
            <UserText text={deviceName} />
          </a>
          <span class="row-under">
            <span>Stage {stage + 1}</span>
            {version && (
              <span>
                reports <UserText text={version} />
              </span>
            )}
            {eventID !== undefined && <a href={`/events/${eventID}`}>Event</a>}
          </span>
          {reason && (
            <span class="rollout-reason">
              <UserText text={reason} />
            </span>
          )}
        </span>
        <Badge tone={tone}>{text}</Badge>
      </div>
    </li>
  );
}
