import type { DevicePosition } from '@earshot/contract/device-position';
import { setDevicePosition } from '@earshot/contract/device-position';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Query } from '../../lib/query.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Empty, Section } from '../../lib/ui/elements.tsx';
import { TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { useReload } from '../../lib/use-reload.ts';
import { may } from '../right/public.ts';

const positionOf = (deviceID: number): Query<DevicePosition> => ({
  key: `position ${deviceID}`,
  load: () => api.getDevicePosition({ params: { deviceID } }),
});

const figures = 5;
const degrees = (value: number, [positive, negative]: readonly [string, string]): string =>
  `${Math.abs(value).toFixed(figures)}° ${value < 0 ? negative : positive}`;

const sources = { hand: 'Set by hand', health: 'Health report', file: 'Metadata of a recording' } as const;

export function DevicePositionSection({ deviceID, zone }: { readonly deviceID: number; readonly zone?: string }) {
  useReload(`position ${deviceID}`);
  const position = useQuery(positionOf(deviceID));
  const [editing, setEditing] = useState(false);
  const edit = (
    <Button small icon="edit" onClick={() => setEditing(true)}>
      Set position
    </Button>
  );
  return (
    <Section title="Position" action={may(setDevicePosition, { deviceID }) && edit}>
      <WhenLoaded from={position} rows={1}>
        {(data) => (
          <>
            <PositionFacts position={data} zone={zone} />
            {editing && <PositionDialog deviceID={deviceID} position={data} onClose={() => setEditing(false)} />}
          </>
        )}
      </WhenLoaded>
    </Section>
  );
}

function PositionFacts({ position, zone }: { readonly position: DevicePosition; readonly zone: string | undefined }) {
  const { latitude, longitude, accuracy, source, positionDate } = position;
  if (latitude === undefined || longitude === undefined) {
    return <Empty title="No position yet">Set it by hand, or let the device send it in its health reports.</Empty>;
  }
  return (
    <dl class="facts">
      <div>
        <dt>Position</dt>
        <dd>
          {degrees(latitude, ['N', 'S'])}, {degrees(longitude, ['E', 'W'])}
        </dd>
      </div>
      {accuracy !== undefined && (
        <div>
          <dt>Accuracy</dt>
          <dd>{Math.round(accuracy)} m</dd>
        </div>
      )}
      <div>
        <dt>Source</dt>
        <dd>
          {sources[source ?? 'hand']}{' '}
          {positionDate && (
            <span class="quiet">
              <Time date={positionDate} zone={zone} />
            </span>
          )}
        </dd>
      </div>
    </dl>
  );
}

interface DialogProps {
  readonly deviceID: number;
  readonly position: DevicePosition;
  readonly onClose: () => void;
}

function PositionDialog({ deviceID, position, onClose }: DialogProps) {
  const { latitude, longitude, accuracy } = position;
  const done = (text: string) => {
    refresh([`position ${deviceID}`]);
    showToast(text);
    onClose();
  };
  const save = async ({ latitude: north = '', longitude: east = '', accuracy: metres = '' }: Values) => {
    const body = { latitude: Number(north), longitude: Number(east), accuracy: metres === '' ? null : Number(metres) };
    await api.setDevicePosition({ params: { deviceID }, body });
    done('Saved.');
  };
  const remove = async () => {
    const body = { latitude: null, longitude: null };
    if (await attempt(() => api.setDevicePosition({ params: { deviceID }, body }))) done('The position is removed.');
  };
  return (
    <Dialog title="Set position" onClose={onClose}>
      <p class="quiet">Health reports and files do not change a position that is set by hand.</p>
      <ApiForm submit="Save" onSend={save} onCancel={onClose}>
        <div class="fields-2">
          <TextField name="latitude" label="Latitude" value={String(latitude ?? '')} hint="Degrees, −90 to 90" code />
          <TextField
            name="longitude"
            label="Longitude"
            value={String(longitude ?? '')}
            hint="Degrees, −180 to 180"
            code
          />
        </div>
        <TextField name="accuracy" label="Accuracy (metres)" value={String(accuracy ?? '')} code optional />
      </ApiForm>
      {latitude !== undefined && (
        <div class="buttons">
          <Button small kind="danger" icon="trash" onClick={() => void remove()}>
            Remove position
          </Button>
        </div>
      )}
    </Dialog>
  );
}
