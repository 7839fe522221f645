import type { Device } from '@earshot/contract/device';
import { createEvent } from '@earshot/contract/event';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api, waitOf } from '../../lib/api.ts';
import { InputProblem } from '../../lib/input-problem.ts';
import { useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { allDevices } from '../device/public.ts';
import { may } from '../right/public.ts';
import { DevicePicker } from './device-picker.tsx';
import { EventFields } from './event-fields.tsx';
import type { EventDraft } from './draft.ts';
import { newEvent, writtenEvent } from './draft.ts';
import { readableName } from './readable-name.ts';
import type { SendOutcome } from '../../lib/send-each.ts';
import { sendEach } from '../../lib/send-each.ts';
import { SendResults } from './send-results.tsx';

interface SendEventProps {
  /** None: the user chooses devices. */
  readonly deviceIDs: readonly number[];
  readonly onClose: () => void;
}

export function SendEventDialog({ deviceIDs, onClose }: SendEventProps) {
  const devices = (useQuery(allDevices).data ?? []).filter(({ key }) => may(createEvent, { deviceID: key }));
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(deviceIDs));
  const [draft, setDraft] = useState<EventDraft>(newEvent);
  const [outcomes, setOutcomes] = useState<readonly SendOutcome<number>[]>();
  const targets = devices.filter(({ key = 0 }) => chosen.has(key));
  const name = readableName(draft.eventType);

  const sendTo = async (targetIDs: readonly number[]) => {
    const event = writtenEvent(draft);
    const sent = await sendEach(targetIDs, {
      send: (key) => api.createEvent({ body: { deviceID: key, ...event } }),
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
    if (chosen.size === 0) throw new InputProblem('Choose at least one device.');
    await sendTo([...chosen]);
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
              send: (key) => api.createEvent({ body: { deviceID: key, ...writtenEvent(draft) } }),
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
      <ApiForm submit={submitText(name, chosen.size)} onSend={send} onCancel={onClose}>
        {deviceIDs.length === 0 && <DevicePicker devices={devices} chosen={chosen} onChange={setChosen} />}
        <EventFields draft={draft} onChange={setDraft} />
        {name !== '' && targets.length > 0 && <p class="hint">{summary(name, targets)}</p>}
      </ApiForm>
    </Dialog>
  );
}

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
        : away === 1
          ? ' 1 of them is offline: it does this when it is back.'
          : ` ${away === targets.length ? 'All' : away} of them are offline: they do this when they are back.`;
  return `${name} will be queued for ${countText(targets.length, 'device')}.${waits}`;
}
