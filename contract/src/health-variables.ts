/** The values that are read from a report and can be drawn over time, with their units. */
export const healthVariables = [
  { name: 'batteryPercent', unit: '%' },
  { name: 'batteryVoltage', unit: 'V' },
  { name: 'cpuTemp', unit: '°C' },
  { name: 'gpuTemp', unit: '°C' },
  { name: 'cpuPercent', unit: '%' },
  { name: 'loadAverage', unit: '' },
  { name: 'diskUsedPercent', unit: '%' },
  { name: 'diskFreeBytes', unit: 'bytes' },
  { name: 'signalStrength_dBm', unit: 'dBm' },
] as const;
export type HealthVariable = (typeof healthVariables)[number]['name'];
