import type { Client } from '@earshot/client/client';
import type { AgentConfig } from './config.ts';
import { describeHealth } from './health.ts';
import type { Journal } from './journal.ts';
import type { createLog } from './log.ts';
import type { AgentLoop } from './loop.ts';
import { pause } from './loop.ts';

const healthEveryMs = 60_000;
const logEveryMs = 10_000;

export interface ReportParts {
  readonly config: AgentConfig;
  readonly client: Client;
  readonly journal: Journal;
  readonly log: ReturnType<typeof createLog>;
  /** Called when the platform has accepted a report. */
  readonly onReachable: () => void;
}

/** The loops that send the health of the device and the log of this agent. */
export function sendReports(parts: ReportParts, signal: AbortSignal): AgentLoop[] {
  return [
    { name: 'health', step: () => sendHealth(parts, signal) },
    { name: 'log', step: () => sendLog(parts, signal) },
  ];
}

async function sendHealth({ config, client, journal, onReachable }: ReportParts, signal: AbortSignal): Promise<void> {
  const healthJSON = JSON.stringify(await describeHealth(config, journal));
  await client.createDeviceHealth({ body: { deviceSerial: config.deviceSerial, healthJSON } }, { signal });
  onReachable();
  await pause(healthEveryMs, signal);
}

async function sendLog({ config, client, log }: ReportParts, signal: AbortSignal): Promise<void> {
  const { deviceSerial } = config;
  const dropped = log.takeDropped();
  if (dropped > 0) log.write('warning', `${dropped} lines of this log were not sent.`);
  while (log.waiting[0]) {
    const { level, message, date, key } = log.waiting[0];
    const body = { deviceSerial, message: `${level.toUpperCase()} ${message}`, logDate: date.toISOString() };
    await client.createLogMessage({ headers: { 'idempotency-key': key }, body }, { signal });
    log.waiting.shift();
  }
  await pause(logEveryMs, signal);
}
