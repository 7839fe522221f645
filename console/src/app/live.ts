import { signal } from '@preact/signals';
import { listen } from '@earshot/client/live';
import { connection } from './api.ts';
import { followChange, refresh } from './query.ts';
import { onSignOut } from './session.ts';

export const isConnected = signal(true);

/** ID of the last handled change; a new connection resumes after it. */
let position: string | undefined;
let listening: AbortController | undefined;

/** A hidden tab keeps no connection, because browsers limit connections to one server. */
export function startLive(): void {
  const starting = new AbortController();
  const on = { signal: starting.signal };
  document.addEventListener('visibilitychange', () => (document.hidden ? pause() : resume()), on);
  addEventListener('offline', () => lose(), on);
  addEventListener('online', () => resume(), on);
  void listenOn();
  onSignOut(() => {
    starting.abort();
    position = undefined;
    pause();
  });
}

function pause(): void {
  clearTimeout(losing);
  losing = undefined;
  listening?.abort();
  listening = undefined;
}

/** The browser reports `offline` at once; the stream itself would notice it only after a timeout. */
function lose(): void {
  pause();
  isConnected.value = false;
}

function resume(): void {
  refresh('unfollowed');
  void listenOn();
}

const patienceMs = 1_000;
let losing: ReturnType<typeof setTimeout> | undefined;

/** A connection that is restored within this time is not reported as lost. */
function noteConnection(isOpen: boolean): void {
  if (!isOpen) {
    losing ??= setTimeout(() => (isConnected.value = false), patienceMs);
    return;
  }
  clearTimeout(losing);
  losing = undefined;
  isConnected.value = true;
}

async function listenOn(): Promise<void> {
  if (listening) return;
  const mine = new AbortController();
  listening = mine;
  const options = {
    signal: mine.signal,
    ...(position === undefined ? {} : { lastEventID: position }),
    onConnection: (isOpen: boolean) => {
      // Without a position to resume from, changes since the first load are unknown.
      if (isOpen && position === undefined) refresh('all');
      noteConnection(isOpen);
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
  if (listening === mine) listening = undefined;
}
