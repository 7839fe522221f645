import type { DeviceReadiness } from '@earshot/contract/device-ready';
import { setReadyPreset } from '@earshot/contract/device-ready';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Query } from '../../lib/query.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Section, UserText } from '../../lib/ui/elements.tsx';
import { SelectField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { useReload } from '../../lib/use-reload.ts';
import { eventTypes, readableName } from '../event/public.ts';
import { presetsOf } from '../event-preset/public.ts';
import { may } from '../right/public.ts';

const readinessOf = (deviceID: number): Query<DeviceReadiness> => ({
  key: `readiness ${deviceID}`,
  load: () => api.getDeviceReadiness({ params: { deviceID } }),
});

/** When the device was ready last, and the preset that is run then. */
export function DeviceReadySection({ deviceID, zone }: { readonly deviceID: number; readonly zone?: string }) {
  useReload(`readiness ${deviceID}`);
  const readiness = useQuery(readinessOf(deviceID));
  return (
    <Section title="Start-up" bare>
      <div class="card padded">
        <WhenLoaded from={readiness} rows={1}>
          {(data) => (
            <div class="stack">
              <ReadyState readiness={data} zone={zone} />
              {may(setReadyPreset, { deviceID }) && (
                <ReadyPreset key={data.eventPresetID ?? 0} deviceID={deviceID} chosen={data.eventPresetID} />
              )}
            </div>
          )}
        </WhenLoaded>
      </div>
    </Section>
  );
}

function ReadyState({ readiness, zone }: { readonly readiness: DeviceReadiness; readonly zone: string | undefined }) {
  const { readyDate, version } = readiness;
  if (readyDate === undefined) return <p class="quiet">The device has not reported that it is ready.</p>;
  return (
    <p>
      Ready since <Time date={readyDate} zone={zone} />
      {version && (
        <>
          , version <UserText text={version} />
        </>
      )}
    </p>
  );
}

function ReadyPreset({ deviceID, chosen }: { readonly deviceID: number; readonly chosen: number | undefined }) {
  const presets = useQuery(presetsOf(deviceID));
  const { data: types = [] } = useQuery(eventTypes);
  const save = async ({ eventPresetID = '' }: Values) => {
    const body = { eventPresetID: eventPresetID === '' ? null : Number(eventPresetID) };
    await api.setReadyPreset({ params: { deviceID }, body });
    refresh([`readiness ${deviceID}`]);
    showToast('Saved.');
  };
  return (
    <WhenLoaded from={presets} rows={1}>
      {(list) => {
        const options = list.map(({ key, eventPresetName, eventTypeID }) => ({
          value: String(key),
          label: eventPresetName || readableName(types.find((type) => type.key === eventTypeID)?.eventTypeName),
        }));
        return (
          <ApiForm submit="Save" onSend={save}>
            <SelectField
              name="eventPresetID"
              label="Run a preset when the device is ready"
              options={[{ value: '', label: 'None' }, ...options]}
              value={String(chosen ?? '')}
              hint={
                list.length === 0
                  ? 'The device has no presets yet. Create one on the Presets tab.'
                  : 'The events of the preset are queued each time the device starts.'
              }
              optional
            />
          </ApiForm>
        );
      }}
    </WhenLoaded>
  );
}
