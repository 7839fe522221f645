import type { AlertReport } from './report.ts';

/** The alert, then each clip, as a line of JSON; without sound. */
export async function* writeLines({ alert, clips }: AlertReport): AsyncGenerator<string> {
  yield `${JSON.stringify({ alert: withoutUnset(alert) })}\n`;
  for (const { audioClipID, deviceID, deviceName, startMs, endMs, text } of clips) {
    const startDate = new Date(startMs).toISOString();
    const endDate = endMs === null ? undefined : new Date(endMs).toISOString();
    yield `${JSON.stringify({ clip: { audioClipID, deviceID, deviceName, startDate, endDate, text } })}\n`;
  }
}

const withoutUnset = (record: object): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== undefined));
