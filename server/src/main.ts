import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import { shellWord } from './backup/going-back.ts';
import { readConfig, SettingsError } from './config.ts';
import type { EarshotNode } from './node.ts';
import { startNode } from './node.ts';

/** The longest that stopping may take after the drain. The next start recovers what was not finished, as after a crash. */
const stopWithinMs = 9_500;

// Relative to src/ and to dist/ alike.
const folder = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** People read standard output; the structured log goes to standard error. */
const say = (line: string): void => void process.stdout.write(`${line}\n`);

function complain(error: unknown): void {
  const faults = error instanceof SettingsError ? error.faults : [(error as Error).message];
  for (const fault of faults) process.stderr.write(`earshot: ${fault.replaceAll('\n', ' ')}\n`);
}

/** Describes an error without its data: a database error can quote a row. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack } = error;
  return { name, message, code: (error as { code?: unknown }).code, stack };
}

async function main(): Promise<void> {
  const { version } = JSON.parse(readFileSync(folder('dist/version.json'), 'utf8')) as { version: string };
  const config = readConfig(process.env);
  const destination = pino.destination({ fd: 2, sync: false, minLength: 4_096 });
  const log = pino({ base: null, serializers: { error: describeError } }, destination);
  // The reader of the output may have closed it. The server runs on, and stops without an error.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  destination.on('error', () => {});
  const flushing = setInterval(() => destination.flush(), 500);

  say(`Earshot ${version} is starting; its data is in ${config.dataDir}`);
  const givingUp = new AbortController();
  const folders = {
    migrationsDir: folder('migrations'),
    pagesDir: folder('pages'),
    consoleDir: folder('../console/dist'),
    docsDir: folder('../docs'),
    agentDir: folder('../agent'),
  };
  const backupProgram = `node ${shellWord(folder('dist/backup.js'))}`;
  const options = { config, log, version, say, backupProgram, ...folders };
  const starting = startNode({ ...options, signal: givingUp.signal });
  const stop = async (): Promise<void> => {
    setTimeout(() => process.exit(0), config.drainSeconds * 1_000 + stopWithinMs).unref();
    say('Earshot is stopping');
    givingUp.abort();
    // A start that was aborted has stopped what it started.
    await starting.then(
      (node) => node.stop(),
      () => {},
    );
    clearInterval(flushing);
    destination.flushSync();
    process.exit(0);
  };
  // On Ctrl-C both the terminal and npm send a signal: the second one must not end the process early.
  let stopping: Promise<void> | undefined;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void (stopping ??= stop()));
  try {
    const node = await starting;
    if (config.role === 'worker') say(`Earshot is working; its health is at ${node.url}/healthz`);
    else announce(node);
  } catch (error) {
    if (givingUp.signal.aborted) return;
    clearInterval(flushing);
    destination.flushSync();
    throw error;
  }
}

function announce({ url, setupToken }: EarshotNode): void {
  say(`Earshot is ready at ${url}`);
  if (setupToken === undefined) return;
  say(`\nNobody has an account yet. Within the hour, open\n\n  ${url}/setup#token=${setupToken}\n\nor run\n`);
  say(`  curl -X POST ${url}/v1/setup -H 'content-type: application/json' \\`);
  say(`    -d '{"token":"${setupToken}","email":"you@example.org","password":"choose a long one"}'\n`);
}

main().catch((error: unknown) => {
  complain(error);
  process.exitCode = 1;
});
