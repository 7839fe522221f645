import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ClipParts } from './clip-writer.ts';
import { createClipWriter } from './clip-writer.ts';
import type { CaptureSource } from './config.ts';
import { createVoiceFilter } from './voice-filter.ts';
import { captureRate, durationOfBytes } from './wav.ts';

/** Records with ffmpeg until the signal aborts, then completes the current recording. Throws if ffmpeg ends. */
export async function capture(
  parts: ClipParts,
  { input, clipSeconds, when }: CaptureSource,
  source: number,
  signal: AbortSignal,
): Promise<void> {
  const output = ['-vn', '-ac', '1', '-ar', String(captureRate), '-f', 's16le', '-'];
  const child = spawn('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-nostdin', ...input, ...output], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = watchExit(child);
  const stop = () => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const writer = createClipWriter(parts, source, clipSeconds);
  const recorder = when === 'voice' ? createVoiceFilter(writer) : writer;
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>)
      await recorder.add(chunk, Date.now() - durationOfBytes(chunk.length));
    const reason = await exit;
    if (!signal.aborted) throw new Error(`ffmpeg ended: ${reason}`);
  } finally {
    signal.removeEventListener('abort', stop);
    child.kill('SIGKILL');
    await recorder.close();
  }
}

function watchExit(child: ChildProcess): Promise<string> {
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-1_000)));
  return once(child, 'close').then(
    ([code]) => errors.trim().split('\n').at(-1) || `exit code ${String(code)}`,
    (error: NodeJS.ErrnoException) => (error.code === 'ENOENT' ? 'it is not installed' : error.message),
  );
}
