import { useState } from 'preact/hooks';
import { api } from '../../app/api.ts';
import { ApiForm } from '../../app/api-form.tsx';
import { useQuery } from '../../app/query.ts';
import { say } from '../../app/toasts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextArea } from '../../ui/field.tsx';
import type { Values } from '../../ui/form.tsx';
import { allDevices, nameOf } from '../device/data.ts';
import { eventTypes, inWords } from './data.ts';

interface SendEventProps {
  /** 0: the user selects a device. */
  readonly deviceID: number;
  readonly onClose: () => void;
}

export function SendEventDialog({ deviceID, onClose }: SendEventProps) {
  const { data: types = [] } = useQuery(eventTypes);
  const [chosen, setChosen] = useState('');
  const current = types.find(({ eventTypeName }) => eventTypeName === chosen) ?? types[0];
  const send = async ({ device = '', eventType = '', eventParameters = '' }: Values) => {
    const to = deviceID || Number(device);
    await api.createEvent({ body: { deviceID: to, eventType, eventParameters } });
    say(`${inWords(eventType)} is queued.`);
    onClose();
  };
  return (
    <Dialog title="Send an event" onClose={onClose}>
      <ApiForm submit="Send" onSend={send} onCancel={onClose}>
        {deviceID === 0 && <DeviceChoice />}
        <SelectField
          name="eventType"
          label="Event type"
          options={types.map(({ eventTypeName = '', agentType = '' }) => ({
            value: eventTypeName,
            label: inWords(eventTypeName),
            group: agentType,
          }))}
          value={current?.eventTypeName ?? ''}
          onChange={setChosen}
          hint={current?.detailedDescription ?? ''}
        />
        <TextArea
          name="eventParameters"
          label="Parameters"
          hint="A JSON object that the agent receives."
          value="{}"
          code
          optional
        />
      </ApiForm>
    </Dialog>
  );
}

export function DeviceChoice() {
  const { data: devices = [] } = useQuery(allDevices);
  return (
    <SelectField
      name="device"
      label="Device"
      options={devices.map((device) => ({ value: String(device.key), label: nameOf(device) }))}
      {...(devices[0] ? { value: String(devices[0].key) } : {})}
    />
  );
}
