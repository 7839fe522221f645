import { eventStatus } from '@earshot/contract/event-status';
import type { Alert } from '@earshot/contract/overview';
import { darkAfterMinutes, fullDiskPercent, lowBatteryPercent } from '@earshot/contract/overview';
import { countText } from '../../lib/ui/count-text.ts';
import { readableName } from '../event/public.ts';
import { devicesIn } from './device-address.ts';

/** Devices by name: the first few, and how many more there are. */
export function deviceText({ deviceNames, deviceIDs }: Alert): string {
  const more = deviceIDs.length - deviceNames.length;
  return more > 0 ? `${deviceNames.join(', ')} and ${more.toLocaleString('en')} more` : deviceNames.join(', ');
}

const timesText = (count: number): string => (count === 1 ? '' : ` ${count.toLocaleString('en')} times`);

/** What happened, in one line. */
export function alertTitle(alert: Alert): string {
  const { keys, deviceIDs, eventType, eventStatus: status } = alert;
  const devices = countText(deviceIDs.length, 'device');
  const [only] = alert.deviceNames;
  const who = deviceIDs.length === 1 && only ? only : devices;
  const has = deviceIDs.length === 1 ? 'has' : 'have';
  switch (alert.alert) {
    case 'failedEvents': {
      const verb = status === eventStatus.timedOut ? 'timed out' : 'failed';
      const where = deviceIDs.length > 1 ? ` on ${devices}` : '';
      return `${readableName(eventType)} ${verb}${timesText(keys.length)}${where}`;
    }
    case 'failedUploads':
      return `${countText(keys.length, 'upload')} failed`;
    case 'darkDevices':
      return deviceIDs.length === 1 ? `${who} is offline` : `${who} went offline together`;
    case 'neverConnected':
      return `${who} ${has} never connected`;
    case 'lowBattery':
      return `${who}: battery below ${lowBatteryPercent} %`;
    case 'fullDisk':
      return `${who}: disk more than ${fullDiskPercent} % full`;
    case 'differentSettings':
      return `${who} ${has} not applied settings`;
  }
}

/** How the time of an alert is introduced. */
export const timeLabel = ({ alert, keys }: Alert): string =>
  alert === 'failedEvents' ? (keys.length > 1 ? 'most recently' : '') : timeLabels[alert];

const timeLabels: Readonly<Record<Exclude<Alert['alert'], 'failedEvents'>, string>> = {
  failedUploads: 'recorded',
  darkDevices: 'last contact',
  neverConnected: 'added',
  lowBattery: 'reported',
  fullDisk: 'reported',
  differentSettings: 'changed',
};

/** The page that shows the records of an alert. */
export function alertAddress({ alert, keys, deviceIDs }: Alert): string {
  if (alert === 'failedEvents') return keys.length === 1 ? `/events/${keys[0]}` : '/events?status=failed';
  if (alert === 'failedUploads') return '/clips?status=4&when=day';
  if (deviceIDs.length > 1) {
    if (alert === 'darkDevices') return devicesIn('silent');
    return alert === 'neverConnected' ? devicesIn('neverHeard') : '/devices';
  }
  const tab =
    alert === 'differentSettings'
      ? '?tab=settings'
      : alert === 'lowBattery' || alert === 'fullDisk'
        ? '?tab=health'
        : '';
  return `/devices/${deviceIDs[0]}${tab}`;
}

export const noAlertsText = `No problems: no device is offline for more than ${darkAfterMinutes} minutes, and nothing failed in the last 24 hours.`;
