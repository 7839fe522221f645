/**
 * The time of the platform: that of its last answer, and what has passed since by a clock that nobody sets. The clock of
 * a device may be years off, and the platform refuses signatures that are more than five minutes off.
 */
export function createPlatformClock(elapsedMs: () => number = () => performance.now()) {
  let aheadMs: number | undefined;
  return {
    /** Undefined until the platform has answered. */
    now: (): number | undefined => (aheadMs === undefined ? undefined : elapsedMs() + aheadMs),
    /** Reads the header Date of an answer of the platform. */
    learn(date: string | null): void {
      const dateMs = Date.parse(date ?? '');
      if (!Number.isNaN(dateMs)) aheadMs = dateMs - elapsedMs();
    },
  };
}

export type PlatformClock = ReturnType<typeof createPlatformClock>;
