import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';

/** Health reports of a week, a log, settings and a position, as the device itself sends them. */
export async function makeDemoRecords(url: string, admin: Client, deviceID: number, deviceSerial: string) {
  const key = await admin.createDeviceKey({ params: { deviceID }, body: {} });
  const credential = { accessKey: key.accessKey ?? '', secretKey: key.secretKey ?? '' };
  const device = createClient({ url, credential });
  await reportHealth(device, deviceSerial);
  for (const [agentType, message] of lines) {
    await device.createLogMessage({ body: { deviceSerial, agentType, message } });
  }
  const params = { deviceID };
  for (const [settingName, wanted, reported] of settings) {
    if (wanted) await admin.putDeviceSetting({ params, query: {}, body: { settingName, settingValue: wanted } });
    if (reported) await device.putDeviceSetting({ params, query: {}, body: { name: settingName, value: reported } });
  }
  await device.reportDeviceReady({ body: { deviceSerial, agentVersion: '1.4.2' } });
  const preset = (await admin.listPresetsOfDevice({ params })).find(
    ({ eventPresetName }) => eventPresetName !== 'Reboot',
  );
  await admin.setReadyPreset({ params, body: { eventPresetID: preset?.key ?? null } });
}

const hours = [
  ...Array.from({ length: 72 }, (_, at) => 168 - 2 * at),
  ...Array.from({ length: 72 }, (_, at) => 24 - at / 3),
];

async function reportHealth(device: Client, deviceSerial: string): Promise<void> {
  for (const hour of hours) {
    const day = Math.sin((hour / 24) * 2 * Math.PI);
    const report = {
      time: { datetime: Date.now() - hour * 3_600_000 },
      battery: { percent: 70 + 22 * day, voltage: 3.8 + 0.2 * day, status: day > 0 ? 'charging' : 'discharging' },
      cpu: { temperature: 41 + 9 * day + (hour % 3), percent: 12 + 5 * Math.cos(hour) },
      disk: { total: 32e9, used: 19e9 - hour * 4e7, free: 13e9 + hour * 4e7 },
      load: [0.4 + 0.3 * Math.abs(day), 0.3, 0.2],
      network: { ssid: 'Harbour', signal_dBm: -58 - 6 * Math.cos(hour / 5), linkQuality: '52/70' },
      gps: { latitude: 47.37689, longitude: 8.54172, accuracy: 4 },
    };
    await device.createDeviceHealth({ body: { deviceSerial, healthJSON: JSON.stringify(report) } });
  }
}

const lines = [
  ['Device', 'INFO started, version 1.4.2'],
  ['Audio', 'recording with 48000 Hz, gain 12'],
  ['Transfer', 'WARNING upload of clip 1794704400 took 41 s'],
  ['Audio', 'DEBUG level -42 dB'],
  ['Transfer', 'Upload failed: connection reset by peer\n  at send (transfer.py, line 118)\n  retry in 30 s'],
  ['Transfer', 'upload of clip 1794704400 complete'],
] as const;

const settings = [
  ['gain', '12', '12'],
  ['sampleRate', '48000', '44100'],
  ['schedule', '05:00-09:00,17:00-21:00', ''],
  ['firmware', '', '1.4.2'],
] as const;
