import { exitCodes } from './failure.ts';
import { main } from './main.ts';

/** The time for the last writes after Ctrl-C. */
const stopWithinMs = 3_000;

const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) {
  process.on(name, () => {
    // The second Ctrl-C does not wait.
    if (stop.signal.aborted) process.exit(exitCodes.interrupted);
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
