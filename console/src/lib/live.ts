import { signal } from '@preact/signals';
import { listen } from '@earshot/client/live';
import { liveKinds } from '@earshot/contract/live-change';
import { connection } from './api.ts';
import { followChange, refresh, retryFailedData } from './query.ts';
import { onSignOut, signedInUser } from './session.ts';

export const isConnected = signal(true);

/** Where a new connection goes on: after the last handled change, at first where the session was read. */
let position: string | undefined;
let subscription: AbortController | undefined;

/** A hidden tab keeps no connection, because browsers limit connections to one server. */
export function connectLive(): void {
  const starting = new AbortController();
  const on = { signal: starting.signal };
  document.addEventListener('visibilitychange', () => (document.hidden ? pause() : resume()), on);
  addEventListener('offline', () => markOffline(), on);
  addEventListener('online', () => resume(), on);
  void subscribe();
  onSignOut(() => {
    starting.abort();
    position = undefined;
    pause();
  });
}

function pause(): void {
  clearTimeout(lossTimer);
  lossTimer = undefined;
  subscription?.abort();
  subscription = undefined;
}

/** The browser reports `offline` at once; the stream itself would notice it only after a timeout. */
function markOffline(): void {
  pause();
  isConnected.value = false;
}

function resume(): void {
  refresh('unfollowed');
  void subscribe();
}

const reportLossAfterMs = 1_000;
let lossTimer: ReturnType<typeof setTimeout> | undefined;

/** A connection that is restored within this time is not reported as lost. */
function updateConnection(isOpen: boolean): void {
  if (!isOpen) {
    lossTimer ??= setTimeout(() => (isConnected.value = false), reportLossAfterMs);
    return;
  }
  clearTimeout(lossTimer);
  lossTimer = undefined;
  isConnected.value = true;
}

async function subscribe(): Promise<void> {
  if (subscription) return;
  position ??= signedInUser().livePosition;
  const mine = new AbortController();
  subscription = mine;
  const options = {
    signal: mine.signal,
    kinds: liveKinds,
    ...(position === undefined ? {} : { lastEventID: position }),
    onConnection: (isOpen: boolean) => {
      // Without a position, as in the session that the setup makes, changes since the first load are unknown.
      if (isOpen && position === undefined) refresh('all');
      if (isOpen) retryFailedData();
      updateConnection(isOpen);
    },
  };
  try {
    for await (const message of listen(connection, options)) {
      position = message.id;
      if (message.event === 'reset') refresh('all');
      else followChange(message);
    }
  } catch {
    // Refused: the session has ended, and the sign-in page is shown already.
  }
  if (subscription === mine) subscription = undefined;
}
