import { eventStatusName } from '@earshot/contract/event-status';
import type { LiveKind } from '@earshot/contract/live-change';
import { oneLine } from '../../platform/one-line.ts';
import type { VisibleChange } from '../live/public.ts';
import type { ChangeRecord } from './change-data.ts';

/** What channels that people read are told. */

const nouns: Readonly<Record<LiveKind, string>> = {
  device: 'Device',
  agent: 'Agent',
  event: 'Event',
  audioclip: 'Clip',
  caption: 'The transcript of clip',
  collection: 'Collection',
  rulematch: 'Match',
  alert: 'Alert',
};

const mostTitles = 10;

/** One line. `deviceName`: if the recipient may know it. */
export function titleOfChange(
  { row: { kind, change, recordKey, deviceID, outcome } }: VisibleChange,
  deviceName: string | undefined,
  record: ChangeRecord | undefined,
): string {
  const device = deviceName === undefined ? undefined : oneLine(deviceName);
  if (kind === 'device')
    return `${device ?? `Device ${recordKey}`} ${outcome === null ? `was ${change}` : `went ${outcome}`}`;
  const of = device ?? (deviceID === null ? undefined : `device ${deviceID}`);
  const subject = `${nouns[kind]} ${recordKey}${of === undefined ? '' : ` of ${of}`}`;
  if (outcome !== 'ended') return `${subject} was ${change}`;
  const status = record?.['eventStatus'];
  return typeof status === 'number' ? `${subject} ended: ${eventStatusName(status)}` : `${subject} ended`;
}

export const listTitles = (titles: readonly string[]): readonly string[] => [
  ...titles.slice(0, mostTitles),
  ...(titles.length > mostTitles ? [`and ${titles.length - mostTitles} more`] : []),
];
