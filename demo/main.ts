import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clearDemo } from './clear.ts';
import { runLargeDemo } from './large/run.ts';
import { runDemo } from './run.ts';

const checkout = fileURLToPath(new URL('../', import.meta.url)).replace(/\/$/, '');
const place = { checkout, folder: process.env['EARSHOT_DEMO_DIR'] ?? join(checkout, 'demo', 'data') };
const [command = 'run'] = process.argv.slice(2);
const say = (line: string) => void process.stdout.write(`${line}\n`);

const help = `npm run demo            shows a fleet that talks, until Ctrl-C; run it again to continue
npm run demo -- large   shows an installation of 2,000 devices and 100,000 clips, filled within minutes
npm run demo -- clear   stops it and removes all that it made

Its data is in demo/data, or in the folder EARSHOT_DEMO_DIR. It uses the port 8080, or EARSHOT_PORT, if that is free.`;

if (command === 'clear') {
  const wasThere = await clearDemo(place);
  say(wasThere ? 'The demo and all that it made are removed.' : 'There is no demo to clear.');
} else if (command === 'run' || command === 'large') {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  try {
    await (command === 'run' ? runDemo : runLargeDemo)({ place, say, signal: stop.signal });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
} else {
  const isHelp = command === 'help' || command === '--help';
  if (!isHelp) process.exitCode = 2;
  say(isHelp ? help : `Unknown: ${command}\n${help}`);
}
