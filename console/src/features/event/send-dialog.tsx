import type { Device } from '@earshot/contract/device';
import { useState } from 'preact/hooks';
import { api, errorMessage, waitOf } from '../../lib/api.ts';
import { useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Form } from '../../lib/ui/form.tsx';
import { SelectField } from '../../lib/ui/field.tsx';
import { allDevices } from '../device/public.ts';
import { mayWrite } from '../right/public.ts';
import { DevicePicker } from './device-picker.tsx';
import { ParameterFields, type Parameters, writtenParameters } from './parameter-fields.tsx';
import { knownParameters } from './parameters.ts';
import { eventTypes, readableName } from './public.ts';
import { type SendOutcome, sendEach } from './send-each.ts';
import { SendResults } from './send-results.tsx';

interface SendDialogProps {
  /** 0: the user chooses devices. */
  readonly deviceID: number;
  readonly onClose: () => void;
}

class MissingChoice extends Error {}

const fieldsOf = (eventType: string): Parameters => ({
  rows: (knownParameters[eventType] ?? []).map((name) => ({ name, value: '' })),
});

export function SendDialog({ deviceID, onClose }: SendDialogProps) {
  const { data: types = [] } = useQuery(eventTypes);
  const devices = (useQuery(allDevices).data ?? []).filter(({ key }) => mayWrite(key));
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(deviceID === 0 ? [] : [deviceID]));
  const [eventType, setEventType] = useState('');
  const [parameters, setParameters] = useState<Parameters>({ rows: [] });
  const [outcomes, setOutcomes] = useState<readonly SendOutcome<number>[]>();
  const targets = devices.filter(({ key = 0 }) => chosen.has(key));
  const name = readableName(eventType);

  const sendTo = async (deviceIDs: readonly number[]) => {
    const eventParameters = writtenParameters(parameters);
    const sent = await sendEach(deviceIDs, {
      send: (key) => api.createEvent({ body: { deviceID: key, eventType, eventParameters } }),
      waitSeconds: waitOf,
      onProgress: (done) => chosen.size > 1 && setOutcomes([...done]),
    });
    const [only] = sent;
    if (chosen.size > 1 || !only) return;
    if (only.error !== undefined) throw only.error as Error;
    showToast(`${name} is queued.`);
    onClose();
  };
  const send = async () => {
    if (chosen.size === 0) throw new MissingChoice('Choose at least one device.');
    if (eventType === '') throw new MissingChoice('Choose an event type.');
    writtenParameters(parameters);
    await sendTo([...chosen]);
  };
  const choose = (next: string) => {
    setEventType(next);
    setParameters(fieldsOf(next));
  };
  if (outcomes) {
    return (
      <Dialog title={`Send ${name} to ${countText(chosen.size, 'device')}`} onClose={onClose}>
        <SendResults
          devices={targets}
          outcomes={outcomes}
          onRetry={(failed) => {
            const kept = outcomes.filter(({ item }) => !failed.includes(item));
            setOutcomes(kept);
            void sendEach(failed, {
              send: (key) =>
                api.createEvent({ body: { deviceID: key, eventType, eventParameters: writtenParameters(parameters) } }),
              waitSeconds: waitOf,
              onProgress: (done) => setOutcomes([...kept, ...done]),
            });
          }}
          onClose={onClose}
        />
      </Dialog>
    );
  }
  return (
    <Dialog title="Send an event" onClose={onClose}>
      <Form
        submit={submitText(name, chosen.size)}
        onSend={send}
        onCancel={onClose}
        onProblem={(error) => ({ fields: [], text: explain(error), waitSeconds: waitOf(error) })}
      >
        {deviceID === 0 && <DevicePicker devices={devices} chosen={chosen} onChange={setChosen} />}
        <SelectField
          name="eventType"
          label="Event type"
          value={eventType}
          options={[
            { value: '', label: 'Choose an event type' },
            ...types.map(({ eventTypeName = '', agentType = '' }) => ({
              value: eventTypeName,
              label: readableName(eventTypeName),
              group: agentType,
            })),
          ]}
          onChange={choose}
          hint={types.find((type) => type.eventTypeName === eventType)?.detailedDescription ?? ''}
        />
        {eventType !== '' && <ParameterFields parameters={parameters} onChange={setParameters} />}
        {eventType !== '' && targets.length > 0 && <p class="hint">{summary(name, targets)}</p>}
      </Form>
    </Dialog>
  );
}

const explain = (error: unknown): string =>
  // Errors of this form have messages for people; all others are of the API or the network.
  error instanceof MissingChoice || (error instanceof Error && error.constructor === Error)
    ? error.message
    : errorMessage(error);

const submitText = (name: string, count: number): string => {
  if (name === '') return 'Send';
  return count > 1 ? `Send ${name} to ${countText(count, 'device')}` : `Send ${name}`;
};

function summary(name: string, targets: readonly Device[]): string {
  const away = targets.filter(({ online }) => !online).length;
  const waits =
    away === 0
      ? ''
      : targets.length === 1
        ? ' The device is offline: it does this when it is back.'
        : ` ${away === targets.length ? 'All' : away} of them ${away === 1 ? 'is' : 'are'} offline: they do this when they are back.`;
  return `${name} will be queued for ${countText(targets.length, 'device')}.${waits}`;
}
