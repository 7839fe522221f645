import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { ClipParts } from './clip-writer.ts';
import { createClipWriter } from './clip-writer.ts';
import type { CaptureSource } from './config.ts';
import { limitTime } from './connection/time-limit.ts';
import { createVoiceFilter } from './voice-filter.ts';
import { captureRate, durationOfBytes } from './wav.ts';

/** A sender that vanished without closing its connection would be waited for without end. */
const mostSilentMs = 60_000;
/** ffmpeg writes the sound that it still has when it is asked to end. */
const mostEndingMs = 5_000;

/**
 * Records with ffmpeg until the signal aborts, then completes the current recording. Throws if ffmpeg ends or no sound
 * comes.
 */
export async function capture(
  parts: ClipParts,
  { input, clipSeconds, when }: CaptureSource,
  source: number,
  signal: AbortSignal,
  silentMs = mostSilentMs,
): Promise<void> {
  const output = ['-vn', '-ac', '1', '-ar', String(captureRate), '-f', 's16le', '-'];
  const child = spawn('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-nostdin', ...input, ...output], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = watchExit(child);
  const limit = limitTime(silentMs, signal);
  let killing: NodeJS.Timeout | undefined;
  const stop = () => {
    child.kill('SIGTERM');
    killing = setTimeout(() => child.kill('SIGKILL'), mostEndingMs);
  };
  limit.signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const writer = createClipWriter(parts, source, clipSeconds);
  const recorder = when === 'voice' ? createVoiceFilter(writer) : writer;
  try {
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      limit.restart(silentMs);
      await recorder.add(chunk, Date.now() - durationOfBytes(chunk.length));
    }
    const reason = await exit;
    if (limit.isOver) throw new Error(`no sound came for ${silentMs / 1_000} s`);
    if (!signal.aborted) throw new Error(`ffmpeg ended: ${reason}`);
  } finally {
    limit.stop();
    clearTimeout(killing);
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
