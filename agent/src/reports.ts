import type { Client } from '@earshot/client/client';
import { createBackoff } from './backoff.ts';
import type { AgentConfig } from './config.ts';
import { isAgainstOne } from './connection/network-fault.ts';
import { judgeFailure } from './failure.ts';
import type { HealthParts } from './health.ts';
import { describeHealth } from './health.ts';
import type { createLog } from './log.ts';
import type { AgentLoop } from './loop.ts';
import { pause } from './loop.ts';

const healthEveryMs = 60_000;
const logEveryMs = 10_000;
const mostFailures = 2;

export interface ReportParts extends HealthParts {
  readonly config: AgentConfig;
  readonly client: Pick<Client, 'createDeviceHealth' | 'createLogMessage'>;
  readonly log: ReturnType<typeof createLog>;
  /** Called when the platform has accepted a report. */
  readonly onReachable: () => void;
}

/** The loops that send the health of the device and the log of this agent. */
export function sendReports(parts: ReportParts, signal: AbortSignal): AgentLoop[] {
  return [
    { name: 'health', step: () => sendHealth(parts, signal) },
    { name: 'log', step: createSendLog(parts, signal) },
  ];
}

async function sendHealth(parts: ReportParts, signal: AbortSignal): Promise<void> {
  const { config, client, onReachable } = parts;
  const send = async (hasNames: boolean) => {
    const healthJSON = JSON.stringify(await describeHealth(parts, hasNames));
    await client.createDeviceHealth({ body: { deviceSerial: config.deviceSerial, healthJSON } }, { signal });
  };
  await send(true).catch((error: unknown) => {
    if (!isAgainstOne(error)) throw error;
    return send(false);
  });
  onReachable();
  await pause(healthEveryMs, signal);
}

/** A line that is refused, by a filter on the way or by the platform, does not hold up the others. */
function createSendLog({ config, client, log }: ReportParts, signal: AbortSignal): () => Promise<void> {
  const { deviceSerial } = config;
  const backoff = createBackoff();
  return async () => {
    const dropped = log.takeDropped();
    if (dropped > 0) log.write('warning', `${dropped} lines of this log were not sent.`);
    const isKept = new Set(log.waiting.map(({ key }) => key));
    for (const key of backoff.reasons.keys()) if (!isKept.has(key)) backoff.succeed(key);
    const rank = (key: string) => Number(backoff.reasons.has(key));
    const due = log.waiting.filter(({ key }) => backoff.isDue(key)).sort((a, b) => rank(a.key) - rank(b.key));
    let failures = 0;
    for (const line of due) {
      const { level, message, date, key } = line;
      const body = { deviceSerial, message: `${level.toUpperCase()} ${message}`, logDate: date.toISOString() };
      try {
        await client.createLogMessage({ headers: { 'idempotency-key': key }, body }, { signal });
        failures = 0;
        log.remove(line);
      } catch (error) {
        if (judgeFailure(error) === 'refused') log.drop(line);
        else if (isAgainstOne(error)) {
          backoff.fail(key, error);
          failures += 1;
          if (failures > mostFailures) throw error;
        } else throw error;
      }
    }
    await pause(logEveryMs, signal);
  };
}
