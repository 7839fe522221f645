import type { DeviceSetting } from '@earshot/contract/device-setting';
import { settingValueLength } from '@earshot/contract/device-setting';
import { shortTextLength } from '@earshot/contract/values';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { refresh } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { CheckField, TextArea, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';

interface SettingDialogProps {
  readonly deviceID: number;
  /** Undefined: a new setting. */
  readonly setting: DeviceSetting | undefined;
  readonly onClose: () => void;
}

export function SettingDialog({ deviceID, setting, onClose }: SettingDialogProps) {
  const save = async ({ settingName = setting?.settingName ?? '', settingValue = '', local }: Values) => {
    await api.putDeviceSetting({
      params: { deviceID },
      query: { local: local === 'true' },
      body: { settingName, settingValue },
    });
    refresh([`settings of ${deviceID}`]);
    showToast(local === 'true' ? 'Saved, and queued for the device.' : 'Saved.');
    onClose();
  };
  return (
    <Dialog title={setting ? 'Change setting' : 'Add a setting'} onClose={onClose}>
      <ApiForm submit="Save" onSend={save} onCancel={onClose}>
        {setting === undefined && (
          <TextField name="settingName" label="Name" maxLength={shortTextLength} placeholder="volume" code focused />
        )}
        <TextArea
          name="settingValue"
          label={setting ? `Wanted value of ${setting.settingName ?? ''}` : 'Wanted value'}
          value={setting?.settingValue ?? ''}
          maxLength={settingValueLength}
          rows={2}
          code
          optional
        />
        <CheckField
          name="local"
          label="Send it to the device now"
          hint="Queues an Update setting event. Otherwise the device reads the value the next time it asks."
          checked
        />
      </ApiForm>
    </Dialog>
  );
}
