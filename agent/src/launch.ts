import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runLauncher } from './update/launcher.ts';

const [configPath = '/etc/earshot-agent.json'] = process.argv.slice(2);
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

try {
  process.exitCode = await runLauncher({
    home: dirname(fileURLToPath(import.meta.url)),
    configPath,
    environment: process.env,
    print: (text) => void process.stderr.write(`${text}\n`),
    signal: stop.signal,
  });
} catch (error) {
  process.stderr.write(`earshot-agent: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
