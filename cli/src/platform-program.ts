import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Context } from './command.ts';
import { usageFailure } from './failure.ts';
import { dataFolderOf, requirePlatform } from './installation.ts';
import { runChild } from './run-child.ts';

/** Builds a product in a checkout, if its sources have changed. An image has it built. */
export async function buildProduct(platform: string, product: string): Promise<void> {
  const script = join(platform, 'scripts', 'build.mjs');
  if (!existsSync(script)) return;
  const { build } = (await import(pathToFileURL(script).href)) as {
    readonly build: (options: { ifNeeded: boolean; only: readonly string[] }) => Promise<void>;
  };
  await build({ ifNeeded: true, only: [product] });
}

interface PlatformProgram {
  /** The command that runs it. */
  readonly command: string;
  /** In `server/dist`. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a program of the server with the settings of the environment. Returns its exit code. */
export async function runPlatformProgram(
  { io }: Pick<Context<unknown>, 'io'>,
  { command, script, args = [], env = {} }: PlatformProgram,
): Promise<number> {
  if (io.env['EARSHOT_ACCESS_KEY'] && io.env['EARSHOT_SECRET_KEY']) {
    throw usageFailure(
      'EARSHOT_SECRET_KEY is the secret of an API key here, but the server reads it as its own encryption key. Unset EARSHOT_ACCESS_KEY and EARSHOT_SECRET_KEY, or set only the key of the server.',
    );
  }
  const platform = requirePlatform(command);
  await buildProduct(platform, 'server');
  if (command === 'serve') await buildProduct(platform, 'console');
  return runChild(io, {
    program: process.execPath,
    args: [join(platform, 'server', 'dist', script), ...args],
    env: { ...io.env, EARSHOT_DATA_DIR: dataFolderOf(io, platform), ...env },
    folder: platform,
  });
}
