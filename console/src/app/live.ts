import { signal } from '@preact/signals';
import { listen } from '@earshot/client/live';
import { connection } from './api.ts';
import { followChange, refresh } from './query.ts';
import { onSignOut } from './session.ts';

export const isConnected = signal(true);

let position: string | undefined;
let listening: AbortController | undefined;

/** A tab that nobody sees holds no connection: browsers allow few to one server. */
export function startLive(): void {
  const hear = () => {
    if (document.visibilityState === 'hidden') return pause();
    refresh('unfollowed');
    void listenOn();
  };
  document.addEventListener('visibilitychange', hear);
  void listenOn();
  onSignOut(() => {
    document.removeEventListener('visibilitychange', hear);
    position = undefined;
    pause();
  });
}

function pause(): void {
  listening?.abort();
  listening = undefined;
}

async function listenOn(): Promise<void> {
  if (listening) return;
  const mine = new AbortController();
  listening = mine;
  const options = {
    signal: mine.signal,
    ...(position === undefined ? {} : { lastEventID: position }),
    onConnection: (isOpen: boolean) => {
      // What changed between the first load and the first connection was not told.
      if (isOpen && position === undefined && !isConnected.peek()) refresh('all');
      isConnected.value = isOpen;
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
