import { exitCodes } from './failure.ts';
import { main } from './main.ts';

/** The time for the last writes after Ctrl-C; a server that was started needs the most. */
const stopWithinMs = 12_000;
/** On one Ctrl-C both the terminal and npm may send a signal. */
const sameKeyMs = 500;

const stop = new AbortController();
let stoppedAtMs = 0;
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // The second Ctrl-C does not wait.
    if (stop.signal.aborted) {
      if (Date.now() - stoppedAtMs > sameKeyMs) process.exit(exitCodes.interrupted);
      return;
    }
    stoppedAtMs = Date.now();
    stop.abort();
    setTimeout(() => process.exit(exitCodes.interrupted), stopWithinMs).unref();
  });
}
// The reader of the output, such as `head`, has read enough.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(exitCodes.done);
    throw error;
  });
}

const exitCode = await main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  folder: process.cwd(),
  signal: stop.signal,
});
process.exitCode = exitCode;
// An open standard input, or a stream in progress, does not keep the program running; its output is written first.
for (const stream of [process.stdout, process.stderr]) {
  await new Promise<void>((resolve) => void stream.write('', () => resolve()));
}
process.exit();
