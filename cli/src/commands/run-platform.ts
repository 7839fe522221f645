import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineCommand, type Context } from '../command.ts';
import { Failure, usageFailure } from '../failure.ts';
import { dataFolderOf, requirePlatform } from '../installation.ts';
import { runChild } from '../run-child.ts';

/** Builds a product in a checkout, if its sources have changed. An image has it built. */
async function buildProduct(platform: string, product: string): Promise<void> {
  const script = join(platform, 'scripts', 'build.mjs');
  if (!existsSync(script)) return;
  const { build } = (await import(pathToFileURL(script).href)) as {
    readonly build: (options: { ifNeeded: boolean; only: readonly string[] }) => Promise<void>;
  };
  await build({ ifNeeded: true, only: [product] });
}

async function runServer(
  { io }: Pick<Context<unknown>, 'io'>,
  command: string,
  role: Readonly<Record<string, string>>,
): Promise<void> {
  if (io.env['EARSHOT_ACCESS_KEY'] && io.env['EARSHOT_SECRET_KEY']) {
    throw usageFailure(
      'EARSHOT_SECRET_KEY is the secret of an API key here, but the server reads it as its own encryption key. Unset EARSHOT_ACCESS_KEY and EARSHOT_SECRET_KEY, or set only the key of the server.',
    );
  }
  const platform = requirePlatform(command);
  await buildProduct(platform, 'server');
  if (command === 'serve') await buildProduct(platform, 'console');
  const main = join(platform, 'server', 'dist', 'main.js');
  const code = await runChild(io, {
    program: process.execPath,
    args: [main],
    env: { ...io.env, EARSHOT_DATA_DIR: dataFolderOf(io, platform), ...role },
    folder: platform,
  });
  if (code !== 0) throw new Failure(`The ${command === 'serve' ? 'server' : 'worker'} ended with code ${code}.`);
}

export const serveCommand = defineCommand({
  name: 'serve',
  endsOnSignal: true,
  summary: 'Run the platform on this machine',
  description:
    'The same as “npm start”: server, worker and console in one process, with settings from the environment (README.md lists them).',
  examples: [{ line: 'EARSHOT_PORT=9000 earshot serve', text: 'on another port' }],
  run: (context) => runServer(context, 'serve', {}),
});

export const workerCommand = defineCommand({
  name: 'worker',
  endsOnSignal: true,
  summary: 'Run only a worker of the platform, beside other nodes',
  description: 'Transcribes, joins and exports. Needs EARSHOT_DATABASE_URL, the database of the other nodes.',
  examples: [
    { line: 'EARSHOT_DATABASE_URL=postgres://db/earshot earshot worker', text: 'a worker on another machine' },
  ],
  run: (context) => runServer(context, 'worker', { EARSHOT_ROLE: 'worker' }),
});

export const agentCommand = defineCommand({
  name: 'agent',
  endsOnSignal: true,
  summary: 'Run the agent of a device on this machine',
  operands: [
    {
      name: 'CONFIG',
      isOptional: true,
      completes: 'file',
      help: 'its configuration; /etc/earshot-agent.json when missing',
    },
  ],
  examples: [{ line: 'earshot agent recorder.json', text: 'with this configuration' }],
  async run({ io, operands }) {
    const platform = requirePlatform('agent');
    await buildProduct(platform, 'agent');
    const program = join(platform, 'agent', 'dist', 'agent.mjs');
    const code = await runChild(io, { program: process.execPath, args: [program, ...operands] });
    if (code !== 0) throw new Failure(`The agent ended with code ${code}.`);
  },
});
