import { readFile, stat } from 'node:fs/promises';
import { ConfigError, parseConfig, requirePrivate } from '../config.ts';
import { isFolderHeld } from '../lock.ts';
import { configExitCode } from '../update/versions.ts';
import type { ShownStatus } from './show-status.ts';
import { showStatus } from './show-status.ts';
import { readStatus } from './status-file.ts';

/** Only reads: it neither takes the lock of the folder nor opens the journal. */
export async function runStatus(configPath: string, nowMs: number): Promise<ShownStatus> {
  try {
    requirePrivate((await stat(configPath)).mode, configPath);
    const { deviceSerial, server, folder } = parseConfig(await readFile(configPath, 'utf8'));
    const isRunning = await isFolderHeld(folder);
    const status = await readStatus(folder);
    return showStatus({ deviceSerial, server, status, isRunning, nowMs });
  } catch (error) {
    return { text: explain(error as NodeJS.ErrnoException, configPath), exitCode: configExitCode };
  }
}

function explain(error: NodeJS.ErrnoException, configPath: string): string {
  if (error instanceof ConfigError) return `${configPath}: ${error.message}`;
  if (error.code === 'ENOENT') return `There is no configuration ${configPath}. Name the one of the agent.`;
  if (error.code === 'EACCES')
    return `You may not read ${error.path ?? configPath}. Run this as the user of the agent, or with sudo.`;
  return error.message;
}
