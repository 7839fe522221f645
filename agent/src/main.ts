import { readFile } from 'node:fs/promises';
import { runAgent } from './agent.ts';
import { ConfigError, parseConfig } from './config.ts';
import { createLog } from './log.ts';
import { version } from './version.ts';

const [path = '/etc/earshot-agent.json'] = process.argv.slice(2);
const log = createLog();
const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());

try {
  const config = parseConfig(await readFile(path, 'utf8'));
  log.write('info', `The agent ${version} of ${config.deviceSerial} has started.`);
  await runAgent({ config, version, log, restart: () => stop.abort(), signal: stop.signal });
} catch (error) {
  const reason = error instanceof ConfigError ? `${path}:\n${error.message}` : (error as Error).message;
  process.stderr.write(`earshot-agent: ${reason}\n`);
  process.exitCode = 1;
}
