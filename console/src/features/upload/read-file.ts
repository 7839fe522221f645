import type { RecordingTime } from '@earshot/contract/recording-time';
import { readRecordingTime, recordingHeadBytes } from '@earshot/contract/recording-time';
import type { HashAnswer, HashRequest } from './hash-worker.ts';

export async function readStart(file: File): Promise<RecordingTime> {
  const head = new Uint8Array(await file.slice(0, recordingHeadBytes).arrayBuffer());
  return readRecordingTime({ head, name: file.name, lastModifiedMs: file.lastModified });
}

let worker: Worker | undefined;
let lastID = 0;
const waiting = new Map<number, { resolve: (hash: string) => void; reject: (error: Error) => void }>();

function startWorker(): Worker {
  const started = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
  started.addEventListener('message', ({ data: { id, hash, problem } }: MessageEvent<HashAnswer>) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (hash === undefined) asked?.reject(new Error(problem));
    else asked?.resolve(hash);
  });
  return started;
}

/** The SHA-256 of a file. Rejects if the file cannot be read any more. */
export function hashSound(file: File): Promise<string> {
  worker ??= startWorker();
  lastID += 1;
  const request: HashRequest = { id: lastID, file };
  return new Promise((resolve, reject) => {
    waiting.set(request.id, { resolve, reject });
    worker?.postMessage(request, []);
  });
}
