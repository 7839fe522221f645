import { currentLocation, setQuery } from '../../lib/location.ts';
import { dateText, viewerZone } from '../../lib/ui/clock.ts';
import { chosenDay } from './range.ts';

const dayMs = 24 * 3_600_000;

/** The day to open: that of the latest clip, if it is older than the last 24 hours. Empty: the last 24 hours. */
export const dayToOpen = (latestMs: number | undefined, now: number, zone: string): string =>
  latestMs === undefined || latestMs > now - dayMs ? '' : dateText(latestMs, zone);

/** Opens the timeline where the latest clips are, unless the address names a day. */
export function openAtLatest(latestMs: number | undefined): void {
  const { query } = currentLocation.peek();
  const day = dayToOpen(latestMs, Date.now(), viewerZone());
  if (day !== '' && chosenDay(query) === '') setQuery({ day });
}
