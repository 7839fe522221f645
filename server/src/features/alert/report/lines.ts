import type { AlertReport } from './report.ts';

/** The alert, then each clip, or each state of a device, as a line of JSON; without sound. */
export async function* writeLines({ alert, clips }: AlertReport): AsyncGenerator<string> {
  yield `${JSON.stringify({ alert: withoutUnset(alert) })}\n`;
  for (const { audioClipID, deviceID, deviceName, startMs, endMs, text } of clips) {
    const startDate = new Date(startMs).toISOString();
    const endDate = endMs === null ? undefined : new Date(endMs).toISOString();
    const match = { audioClipID: audioClipID ?? undefined, deviceID, deviceName, startDate, endDate, text };
    yield `${JSON.stringify(audioClipID === null ? { state: match } : { clip: match })}\n`;
  }
}

const withoutUnset = (record: object): object =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null && value !== undefined));
