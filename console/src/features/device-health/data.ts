import type { DeviceHealthValues } from '@earshot/contract/device-health';
import type { HealthVariable } from '@earshot/contract/health-variables';
import { healthVariables } from '@earshot/contract/health-variables';
import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';
import type { DrawnPoint } from './chart-path.ts';
import type { SetAside } from './set-aside.ts';
import { readSetAside, readWarnings } from './set-aside.ts';
import type { ReportValue } from './sent-values.ts';
import { readValues } from './sent-values.ts';

export const healthOf = (deviceID: number): Query<DeviceHealthValues> => ({
  key: `health ${deviceID} values`,
  load: () => api.getHealthOfDevice({ params: { deviceID } }),
});

export interface LatestReport {
  readonly setAside: SetAside | null;
  readonly warnings: readonly string[];
  /** Every value as the device sent it, also those that the platform does not know. */
  readonly values: readonly ReportValue[];
}

/** The latest report itself has what is not one value: the files set aside, and warnings. */
export const latestReportOf = (deviceID: number): Query<LatestReport> => ({
  key: `health ${deviceID} latest report`,
  load: async () => {
    const { healthJSON = '', healthDate = '' } = await api.getLatestDeviceHealth({ params: { deviceID } });
    return {
      setAside: readSetAside(healthJSON, healthDate),
      warnings: readWarnings(healthJSON),
      values: readValues(healthJSON),
    };
  },
});

export const chartSpans = [
  { value: 'day', label: '24 hours', seconds: 86_400 },
  { value: 'week', label: '7 days', seconds: 7 * 86_400 },
] as const;
export type ChartSpan = (typeof chartSpans)[number]['value'];

export interface ChartData {
  readonly variable: HealthVariable;
  readonly points: readonly DrawnPoint[];
}

export interface Charts {
  readonly startEpoch: number;
  readonly endEpoch: number;
  readonly charts: readonly ChartData[];
}

/** The charts of the page, in their order. */
const charted: readonly HealthVariable[] = [
  'batteryPercent',
  'cpuTemp',
  'diskUsedPercent',
  'cpuPercent',
  'loadAverage',
  'signalStrength_dBm',
];

/** One point for 12 minutes of a day. */
const parts = 120;

export const chartsOf = (deviceID: number, span: ChartSpan): Query<Charts> => ({
  key: `health ${deviceID} charts ${span}`,
  load: async () => {
    const endEpoch = Math.floor(Date.now() / 1_000) + 1;
    const startEpoch = endEpoch - (chartSpans.find(({ value }) => value === span)?.seconds ?? 0);
    const loaded = await Promise.all(
      charted.map(async (variable) => {
        const body = { variableName: variable, startEpoch, endEpoch, count: parts };
        const { datasets } = await api.getHealthLineChart({ params: { deviceID }, body });
        const points = (datasets[0]?.data ?? []).map(({ time = 0, value = 0 }) => ({ time, value }));
        return { variable, points };
      }),
    );
    return { startEpoch, endEpoch, charts: loaded.filter(({ points }) => points.length > 0) };
  },
});

const labels: Readonly<Record<HealthVariable, string>> = {
  batteryPercent: 'Battery',
  batteryVoltage: 'Battery voltage',
  cpuTemp: 'Temperature',
  gpuTemp: 'GPU temperature',
  cpuPercent: 'CPU',
  loadAverage: 'Load',
  diskUsedPercent: 'Disk used',
  diskFreeBytes: 'Disk free',
  signalStrength_dBm: 'Signal',
};

export const labelOf = (variable: HealthVariable): string => labels[variable];

const figure = (value: number): string => value.toLocaleString('en-GB', { maximumFractionDigits: 1 }).replace('-', '−');

export function valueText(variable: HealthVariable, value: number): string {
  if (variable === 'diskFreeBytes') {
    return value < 1e9 ? `${figure(value / 1e6)} MB` : `${figure(value / 1e9)} GB`;
  }
  const unit = healthVariables.find(({ name }) => name === variable)?.unit ?? '';
  return unit === '' ? figure(value) : `${figure(value)} ${unit}`;
}
