import { signal } from '@preact/signals';
import { listen } from '@earshot/client/live';
import { connection } from './api.ts';
import { followChange, refresh } from './query.ts';
import { onSignOut } from './session.ts';

export const isConnected = signal(true);

/** The last change that was dealt with: the stream goes on after it. */
let position: string | undefined;
let listening: AbortController | undefined;

/** A tab that nobody sees holds no connection: browsers allow few to one server. */
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

/** The system says so at once; the silence of the stream would say it after a while. */
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

/** A connection that is made again within a moment is no news. */
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
      // With no place to go on from, what changed since the first load was not told.
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
    // Refused: the session has ended, which is shown already.
  }
  if (listening === mine) listening = undefined;
}
