import type { DeviceSetting } from '@earshot/contract/device-setting';
import { putDeviceSetting } from '@earshot/contract/device-setting';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { deferAction, isDeferred } from '../../lib/deferred.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Query } from '../../lib/query.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Badge, Empty, Section, UserText } from '../../lib/ui/elements.tsx';
import { Menu } from '../../lib/ui/menu.tsx';
import { useReload } from '../../lib/use-reload.ts';
import { may } from '../right/public.ts';
import { SettingDialog } from './dialog.tsx';

const settingsOf = (deviceID: number): Query<readonly DeviceSetting[]> => ({
  key: `settings of ${deviceID}`,
  load: () => api.listDeviceSettings({ params: { deviceID } }),
});

/** The settings that people want on the device, beside those that the device reports. */
export function SettingsOnDevice({ deviceID }: { readonly deviceID: number }) {
  useReload(`settings of ${deviceID}`);
  const settings = useQuery(settingsOf(deviceID));
  const [edited, setEdited] = useState<DeviceSetting | 'new' | undefined>();
  const add = (
    <Button small icon="add" onClick={() => setEdited('new')}>
      Add a setting
    </Button>
  );
  return (
    <Section title="Settings on the device" action={may(putDeviceSetting, { deviceID }) && add}>
      <WhenLoaded from={settings} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No settings yet">
              Values that the device reports appear here. Set a value that you want, and see whether the device uses it.
            </Empty>
          ) : (
            <ul class="rows">
              {list.map((setting) => (
                <SettingRow key={setting.key} setting={setting} deviceID={deviceID} onEdit={() => setEdited(setting)} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {edited && (
        <SettingDialog
          deviceID={deviceID}
          setting={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Section>
  );
}

interface SettingRowProps {
  readonly setting: DeviceSetting;
  readonly deviceID: number;
  readonly onEdit: () => void;
}

function SettingRow({ setting, deviceID, onEdit }: SettingRowProps) {
  const { key, settingName = '', wantedValue, reportedValue, isDifferent = false } = setting;
  if (isDeferred(`setting ${key}`)) return null;
  const params = { deviceID };
  const send = async (value: string) => {
    const body = { settingName, settingValue: value };
    if (await attempt(() => api.putDeviceSetting({ params, query: { local: true }, body }))) {
      showToast('Queued for the device.');
    }
  };
  const remove = () =>
    deferAction(`setting ${key}`, `${settingName} is deleted.`, async () => {
      await api.deleteDeviceSetting({ params, query: { setting_name: settingName } });
      refresh([`settings of ${deviceID}`]);
    });
  const toSend =
    wantedValue === undefined
      ? []
      : [{ label: 'Send to the device', icon: 'event' as const, onSelect: () => void send(wantedValue) }];
  return (
    <li class="row">
      <div class="row-body setting">
        <span class="row-main">
          <span class="row-title">
            <UserText text={settingName} />
          </span>
          {isDifferent && <Badge tone="warn">Differs</Badge>}
        </span>
        <SettingValue label="Wanted" value={wantedValue} />
        <SettingValue label="Reported" value={reportedValue} />
      </div>
      {may(putDeviceSetting, { deviceID }) && (
        <span class="row-actions">
          <Menu
            label={`More actions for ${settingName}`}
            items={[
              { label: 'Change', icon: 'edit', onSelect: onEdit },
              ...toSend,
              { label: 'Delete', icon: 'trash', danger: true, onSelect: remove },
            ]}
          />
        </span>
      )}
    </li>
  );
}

function SettingValue({ label, value }: { readonly label: string; readonly value: string | undefined }) {
  return (
    <span class="setting-value">
      <span class="setting-label">{label}</span>
      {value === undefined ? <span class="quiet">—</span> : <UserText text={value} />}
    </span>
  );
}
