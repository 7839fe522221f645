import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { builtServer } from '@earshot/server/testing/built-server';
import { programEnvironment } from '@earshot/server/testing/program-environment';
import { onTestFinished } from 'vitest';

/** A node in a separate process that can be killed. */
export interface NodeProcess {
  readonly url: string;
  readonly pid: number;
  /** SIGKILL, as when the machine runs out of memory: nothing is finished or announced. */
  killNow(): Promise<void>;
}

export async function startNodeProcess(settings: Readonly<Record<string, string>>): Promise<NodeProcess> {
  const child = spawn(process.execPath, [builtServer], {
    env: {
      ...programEnvironment(),
      EARSHOT_PORT: '0',
      EARSHOT_RATE_LIMIT: '0',
      EARSHOT_CAPTION_ENGINE: 'none',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  const killNow = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  onTestFinished(killNow);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2_000)));
  const url = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const address = /ready at (\S+)$/.exec(line)?.[1];
      if (address !== undefined) resolve(address);
    });
  });
  const endedEarly = exited.then((): never => {
    throw new Error(`a node ended before it was ready: ${said}`);
  });
  return { url: await Promise.race([url, endedEarly]), pid: child.pid ?? 0, killNow };
}
