import { join } from 'node:path';
import type { Context } from '../command.ts';
import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { requirePlatform } from '../installation.ts';
import { buildProduct, runPlatformProgram } from '../platform-program.ts';
import { runChild } from '../run-child.ts';

async function runServer(
  context: Pick<Context<unknown>, 'io'>,
  command: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const code = await runPlatformProgram(context, { command, script: 'main.js', env });
  if (code !== 0) throw new Failure(`The ${command === 'serve' ? 'server' : 'worker'} ended with code ${code}.`);
}

export const serveCommand = defineCommand({
  name: 'serve',
  endsOnSignal: true,
  summary: 'Run the platform on this machine',
  description:
    'The same as “npm start”: server, worker and console in one process, with settings from the environment (docs/settings.md lists them).',
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
