import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@earshot/client/client';
import { wordsToSearch } from './stories.ts';

interface NewsOptions {
  readonly session: Client;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const lookEveryMs = 2_000;

/** Tells which words can be found already, and how much waits for transcription. */
export function createDemoNews({ session, say, signal }: NewsOptions) {
  const startedMs = performance.now();
  const found = new Set<string>();
  let printed = '';
  const tell = (line: string) => {
    if (line !== printed) say(line);
    printed = line;
  };
  const look = async () => {
    const { state, reason, waitingCount } = await session.getCaptionProgress({}, { signal });
    if (state !== 'ready') tell(`The speech models are being prepared${reason ? ` (${reason})` : ''} …`);
    for (const word of wordsToSearch) {
      if (found.has(word) || state !== 'ready') continue;
      const { total } = await session.searchCaptions({ body: { searchText: word } }, { signal });
      if (total === 0) continue;
      found.add(word);
      const seconds = Math.round((performance.now() - startedMs) / 1_000);
      tell(`Search for ${word}: found after ${seconds} s. ${waitingCount} recordings wait for transcription.`);
    }
    if (found.size === wordsToSearch.length) tell('All words are found.');
  };
  return {
    async run(): Promise<void> {
      while (!signal.aborted && found.size < wordsToSearch.length) {
        await look().catch(() => {});
        await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
      }
    },
  };
}
