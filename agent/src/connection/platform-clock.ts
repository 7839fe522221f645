/** What the answers of the platform tell about the connection. */
export interface PlatformContact {
  lastReached(): { readonly at: Date } | undefined;
  /** How far the clock of this device is ahead; undefined until it is known. */
  clockErrorMs(): number | undefined;
}

/** The header `Date` has whole seconds. */
const halfSecondMs = 500;

/**
 * The time of the platform: that of its last answer, and what has passed since by a clock that nobody sets. The clock of
 * a device may be years off, and the platform refuses signatures that are more than five minutes off.
 */
export function createPlatformClock(elapsedMs: () => number = () => performance.now()) {
  let aheadMs: number | undefined;
  let reachedMs: number | undefined;
  let errorMs: number | undefined;
  const contact: PlatformContact = {
    lastReached: () => (reachedMs === undefined ? undefined : { at: new Date(reachedMs) }),
    clockErrorMs: () => errorMs,
  };
  return {
    contact,
    /** Undefined until the platform has answered. */
    now: (): number | undefined => (aheadMs === undefined ? undefined : elapsedMs() + aheadMs),
    /** Reads the header Date of an answer of the platform. */
    learn(date: string | null): void {
      reachedMs = Date.now();
      const dateMs = Date.parse(date ?? '');
      if (Number.isNaN(dateMs)) return;
      aheadMs = dateMs - elapsedMs();
      errorMs = reachedMs - (dateMs + halfSecondMs);
    },
  };
}
