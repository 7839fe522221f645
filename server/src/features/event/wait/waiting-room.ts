/** Holds waiting long polls. A waiting poll uses memory only: no timer of its own, no query. */
export interface WaitingRoom {
  enter(deviceID: number, guest: Guest): Stay;
  wake(deviceIDs: readonly number[]): void;
  /** Ends the waits of these users, or of all: their rights may have changed, or the node stops. */
  dismiss(userIDs: readonly number[] | undefined): void;
  /** Ends all waits, and every later one at once. */
  close(): void;
  /** Ends the waits whose deadline has passed. */
  sweep(): void;
  readonly devices: readonly number[];
  /** The devices whose polls count as contact. */
  readonly contactedDevices: readonly number[];
  readonly size: number;
}

export type WaitOutcome = 'woken' | 'late' | 'dismissed';

export interface Stay {
  /** Resolves when the device may have an event, the deadline has passed, or the wait was ended. */
  readonly outcome: Promise<WaitOutcome>;
  leave(): void;
}

interface Guest {
  readonly userID: number;
  /** Whether the caller may write the device, so that the wait counts as contact. */
  readonly isContact: boolean;
  readonly deadlineMs: number;
}

interface Waiter extends Guest {
  readonly end: (outcome: WaitOutcome) => void;
}

export function createWaitingRoom(): WaitingRoom {
  const waiters = new Map<number, Set<Waiter>>();
  let isClosed = false;

  function release(deviceID: number, chosen: (waiter: Waiter) => WaitOutcome | undefined): void {
    const set = waiters.get(deviceID);
    if (!set) return;
    for (const waiter of set) {
      const outcome = chosen(waiter);
      if (outcome === undefined) continue;
      set.delete(waiter);
      waiter.end(outcome);
    }
    if (set.size === 0) waiters.delete(deviceID);
  }

  function dismiss(userIDs: readonly number[] | undefined): void {
    const users = userIDs && new Set(userIDs);
    for (const deviceID of waiters.keys()) {
      release(deviceID, ({ userID }) => (!users || users.has(userID) ? 'dismissed' : undefined));
    }
  }

  return {
    enter(deviceID, guest) {
      let end: Waiter['end'] = () => {};
      const outcome = new Promise<WaitOutcome>((resolve) => {
        end = resolve;
      });
      if (isClosed) end('dismissed');
      const waiter = { ...guest, end };
      const set = waiters.get(deviceID) ?? new Set();
      waiters.set(deviceID, set);
      set.add(waiter);
      return { outcome, leave: () => release(deviceID, (other) => (other === waiter ? 'dismissed' : undefined)) };
    },
    wake(deviceIDs) {
      for (const deviceID of deviceIDs) release(deviceID, () => 'woken');
    },
    dismiss,
    close() {
      isClosed = true;
      dismiss(undefined);
    },
    sweep() {
      const now = performance.now();
      for (const deviceID of waiters.keys()) {
        release(deviceID, ({ deadlineMs }) => (deadlineMs <= now ? 'late' : undefined));
      }
    },
    get devices() {
      return [...waiters.keys()];
    },
    get contactedDevices() {
      return this.devices.filter((deviceID) => [...(waiters.get(deviceID) ?? [])].some(({ isContact }) => isContact));
    },
    get size() {
      let size = 0;
      for (const set of waiters.values()) size += set.size;
      return size;
    },
  };
}
