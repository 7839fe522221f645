import { change, currentItems, itemWith } from './list.ts';
import { startReady } from './queue.ts';
import { readStart } from './read-file.ts';

let isReading = false;

/** One file after another: reading is quick, and the page stays smooth. Each file that lacks nothing is sent at once. */
export async function readStarts(): Promise<void> {
  if (isReading) return;
  isReading = true;
  for (const { id, file, state } of currentItems()) {
    if (state !== 'reading' || !file) continue;
    try {
      const { start, source, zoneKnown } = await readStart(file);
      // Removed from the list meanwhile, or about to be.
      if (itemWith(id)?.state !== 'reading') continue;
      change(id, { state: 'ready', start, source, isZoneKnown: zoneKnown });
      startReady();
    } catch {
      change(id, { state: 'failed', problem: 'The file cannot be read.' });
    }
  }
  isReading = false;
}
