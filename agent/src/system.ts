import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { System } from './commands.ts';
import { EventFailure } from './work.ts';

export async function readSystem(): Promise<System> {
  const bootID = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  return { bootID: bootID.trim(), reboot: () => run('systemctl', ['reboot']) };
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const [code] = (await once(child, 'close').catch((error: Error) => {
    throw new EventFailure(`${program} could not be started: ${error.message}`);
  })) as [number | null];
  if (code !== 0) throw new EventFailure(`${program} failed: ${errors.trim().slice(0, 500)}`);
}
