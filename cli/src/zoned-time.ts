/** The moment at which clocks of a zone showed a time, which is given as if it were UTC. Undefined: this machine's zone. */
export function zonedTime(wallMs: number, zone: string | undefined): number {
  const wall = new Date(wallMs);
  if (zone === undefined) {
    return new Date(
      wall.getUTCFullYear(),
      wall.getUTCMonth(),
      wall.getUTCDate(),
      wall.getUTCHours(),
      wall.getUTCMinutes(),
      wall.getUTCSeconds(),
      wall.getUTCMilliseconds(),
    ).getTime();
  }
  // The second step is right on days on which the clocks change.
  const guess = wallMs - offsetAt(wallMs, zone);
  return wallMs - offsetAt(guess, zone);
}

/** How many milliseconds the clocks of a zone are ahead of UTC. */
function offsetAt(ms: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const part = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1_000) * 1_000;
}

export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
