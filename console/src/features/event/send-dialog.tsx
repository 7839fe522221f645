import type { BulkJob } from '@earshot/contract/bulk-job';
import type { Device } from '@earshot/contract/device';
import { createEvent } from '@earshot/contract/event';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { JobProgress } from '../../lib/bulk/job-progress.tsx';
import { onceKey } from '../../lib/bulk/jobs.ts';
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
import { maySend } from './may-send.ts';
import { readableName } from './readable-name.ts';

interface SendEventProps {
  /** None: the user chooses devices. */
  readonly deviceIDs: readonly number[];
  readonly onClose: () => void;
}

export function SendEventDialog({ deviceIDs, onClose }: SendEventProps) {
  const devices = (useQuery(allDevices).data ?? []).filter(({ key }) => may(createEvent, { deviceID: key }));
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(deviceIDs));
  const [draft, setDraft] = useState<EventDraft>(newEvent);
  const [job, setJob] = useState<BulkJob>();
  const [once, setOnce] = useState(onceKey);
  const targets = devices.filter(({ key = 0 }) => chosen.has(key));
  const name = readableName(draft.eventType);

  const start = async (keys: readonly number[]) => {
    const headers = { 'idempotency-key': once };
    const event = writtenEvent(draft);
    setJob(await api.startDeviceBulk({ headers, body: { action: 'sendEvent', deviceIDs: [...keys], event } }));
    setOnce(onceKey());
  };
  const send = async () => {
    const [first, ...more] = chosen;
    if (first === undefined) throw new InputProblem('Choose at least one device.');
    if (more.length > 0) return start([...chosen]);
    await api.createEvent({ body: { deviceID: first, ...writtenEvent(draft) } });
    showToast(`${name} is queued.`);
    onClose();
  };
  if (job) {
    const title = `Send ${name} to ${countText(chosen.size, 'device')}`;
    return (
      <Dialog title={title} onClose={onClose}>
        <JobProgress key={job.key} job={job} title={title} onRetry={start} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Send an event" onClose={onClose}>
      <ApiForm submit={submitText(name, chosen.size)} onSend={send} onCancel={onClose}>
        {deviceIDs.length === 0 && <DevicePicker devices={devices} chosen={chosen} onChange={setChosen} />}
        <EventFields
          draft={draft}
          onChange={setDraft}
          isOffered={(type) => [...chosen].every((deviceID) => maySend(type, { deviceID }))}
        />
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
