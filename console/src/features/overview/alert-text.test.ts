import type { Alert } from '@earshot/contract/overview';
import { expect, test, vi } from 'vitest';

vi.stubGlobal('location', { origin: 'http://localhost', pathname: '/', search: '' });
const { alertAddress, alertTitle, deviceText } = await import('./alert-text.ts');

const of = (alert: Alert['alert'], count: number, devices: number, more: Partial<Alert> = {}): Alert => ({
  alert,
  keys: Array.from({ length: count }, (_, index) => index + 1),
  deviceIDs: Array.from({ length: devices }, (_, index) => index + 1),
  deviceNames: ['Gate', 'Roof', 'Quay'].slice(0, devices),
  newCount: count,
  mayChange: true,
  ...more,
});
const reboot = { eventType: 'Report_diagnostics', eventStatus: 5 };

test.each([
  [of('failedEvents', 1, 1, reboot), 'Report diagnostics failed'],
  [of('failedEvents', 9, 1, reboot), 'Report diagnostics failed 9 times'],
  [of('failedEvents', 9, 4, reboot), 'Report diagnostics failed 9 times on 4 devices'],
  [of('failedEvents', 2, 2, { ...reboot, eventStatus: 6 }), 'Report diagnostics timed out 2 times on 2 devices'],
  [of('darkDevices', 1, 1), 'Gate is offline'],
  [of('darkDevices', 31, 31), '31 devices went offline together'],
  [of('neverConnected', 2, 2), '2 devices have never connected'],
  [of('failedUploads', 1, 1), '1 upload failed'],
  [of('lowBattery', 1, 1), 'Gate: battery below 20 %'],
  [of('fullDisk', 3, 3), '3 devices: disk more than 90 % full'],
  [of('differentSettings', 1, 1), 'Gate has not applied settings'],
])('%#: a line says what happened', (alert, text) => {
  expect(alertTitle(alert)).toBe(text);
});

test('devices are named, the first few', () => {
  expect(deviceText(of('darkDevices', 31, 31))).toBe('Gate, Roof, Quay and 28 more');
  expect(deviceText(of('darkDevices', 2, 2))).toBe('Gate, Roof');
});

test('each alert leads to its records', () => {
  expect(alertAddress(of('failedEvents', 1, 1))).toBe('/events/1');
  expect(alertAddress(of('failedEvents', 9, 1))).toBe('/events?status=failed');
  expect(alertAddress(of('darkDevices', 31, 31))).toBe('/devices?state=silent');
  expect(alertAddress(of('neverConnected', 2, 2))).toBe('/devices?state=neverHeard');
  expect(alertAddress(of('lowBattery', 1, 1))).toBe('/devices/1?tab=health');
  expect(alertAddress(of('differentSettings', 1, 1))).toBe('/devices/1?tab=settings');
});
