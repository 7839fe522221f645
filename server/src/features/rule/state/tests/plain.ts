/*
 * What CONTRACT says of states, read minute by minute, without code of the server: all times of the test are whole minutes.
 */

export interface Minutes {
  readonly from: number;
  /** Undefined: it goes on. */
  readonly to: number | undefined;
}

/** What a test made happen to one device, in minutes since its begin. */
export interface PlainDevice {
  readonly created: number;
  readonly online: readonly Minutes[];
  readonly reports: readonly {
    readonly at: number;
    readonly battery: number | undefined;
    readonly disk: number | undefined;
  }[];
  readonly failedUploads: readonly Minutes[];
  readonly failedEvents: readonly number[];
  readonly differences: readonly Minutes[];
}

export interface PlainRule {
  readonly state: string;
  readonly limit: number;
  readonly within: number;
  readonly hold: number;
  readonly keep: number;
  /** Minutes of the day, UTC. */
  readonly active: readonly { readonly from: number; readonly to: number }[];
}

export interface PlainWorld {
  /** In order. */
  readonly runs: readonly Minutes[];
  readonly now: number;
  /** The minute of the day at which the test begins. */
  readonly firstMinuteOfDay: number;
}

const dayMinutes = 24 * 60;

const isDuring = ({ from, to = Infinity }: Minutes, minute: number): boolean => minute >= from && minute < to;

/** The matches until now, as pairs of minutes. */
export function readPlainly(device: PlainDevice, rule: PlainRule, world: PlainWorld): readonly Minutes[] {
  const holds = stateReader(device, rule, world);
  const matches: { from: number; to: number | undefined }[] = [];
  let open: { from: number; to: number | undefined } | undefined;
  let lastTrue = 0;
  let heldSince: number | undefined;
  for (let minute = 0; minute <= world.now; minute++) {
    const isTrue = holds(minute);
    const isCounted = isTrue && isRunning(world, minute) && isActive(rule, world, minute);
    if (isRunBegin(world, minute)) heldSince = undefined;
    if (!isCounted) heldSince = undefined;
    else heldSince ??= minute;
    const isGap = !isTrue || lastTrue < minute - 1;
    if (open && isGap && minute >= lastTrue + 1 + rule.keep) {
      open.to = lastTrue + 1 + rule.keep;
      open = undefined;
    }
    if (isTrue) lastTrue = minute;
    if (!open && heldSince !== undefined && minute >= heldSince + rule.hold) {
      open = { from: heldSince + rule.hold, to: undefined };
      matches.push(open);
    }
  }
  return matches;
}

const isRunning = ({ runs }: PlainWorld, minute: number): boolean => runs.some((run) => isDuring(run, minute));
const isRunBegin = ({ runs }: PlainWorld, minute: number): boolean => runs.some(({ from }) => from === minute);

function isActive({ active }: PlainRule, { firstMinuteOfDay }: PlainWorld, minute: number): boolean {
  if (active.length === 0) return true;
  const clock = (firstMinuteOfDay + minute) % dayMinutes;
  return active.some(({ from, to }) => (from < to ? clock >= from && clock < to : clock >= from || clock < to));
}

function stateReader(device: PlainDevice, rule: PlainRule, world: PlainWorld): (minute: number) => boolean {
  switch (rule.state) {
    case 'offline':
      return offlineReader(device, rule, world);
    case 'neverConnected': {
      const end = Math.min(...device.online.map(({ from }) => from), Infinity);
      return elapsedReader({ from: device.created, to: end === Infinity ? undefined : end }, rule.limit, world);
    }
    case 'lowBattery':
      return (minute) => (lastReport(device, minute)?.battery ?? Infinity) < rule.limit;
    case 'fullDisk':
      return (minute) => (lastReport(device, minute)?.disk ?? -Infinity) > rule.limit;
    case 'failedEvents':
      return (minute) =>
        device.failedEvents.filter((at) => at <= minute && at > minute - rule.within).length >= rule.limit;
    case 'failedUploads':
      return (minute) =>
        device.failedUploads.filter((span) => isDuring(span, minute) && span.from > minute - rule.within).length >=
        rule.limit;
    default: {
      const readers = device.differences.map((span) => elapsedReader(span, rule.limit, world));
      // Each is asked, because each counts.
      return (minute) => readers.map((holds) => holds(minute)).includes(true);
    }
  }
}

function lastReport({ reports }: PlainDevice, minute: number) {
  const last = reports.findLast(({ at }) => at <= minute);
  return last && minute < last.at + dayMinutes ? last : undefined;
}

/** Whether something has gone on for so long, counted in one run of the platform; asked for minute after minute. */
function elapsedReader(span: Minutes, limit: number, world: PlainWorld, least = 0): (minute: number) => boolean {
  let counted: number | undefined;
  let isLong = false;
  return (minute) => {
    if (!isDuring(span, minute)) return false;
    if (!isRunning(world, minute)) counted = undefined;
    else {
      if (isRunBegin(world, minute)) counted = undefined;
      counted ??= minute;
      if (minute >= counted + limit && minute >= least) isLong = true;
    }
    return isLong;
  };
}

function offlineReader(device: PlainDevice, rule: PlainRule, world: PlainWorld): (minute: number) => boolean {
  const ends = device.online.flatMap(({ to }) => (to === undefined ? [] : [to]));
  const silences = device.online.flatMap(({ to }, at) =>
    to === undefined ? [] : [{ from: to, to: device.online[at + 1]?.from }],
  );
  const readers = silences.map((silence) => {
    // Ends while the platform was away were not seen; the very moment at which it went away was.
    const seen = ends.filter((end) => world.runs.some(({ from, to = Infinity }) => end >= from && end <= to));
    const lately = seen.filter((end) => end <= silence.from && end > silence.from - dayMinutes);
    const least = lately.length >= 3 ? lately.at(-3)! + dayMinutes : 0;
    return elapsedReader(silence, rule.limit, world, least);
  });
  return (minute) => readers.map((holds) => holds(minute)).includes(true);
}
