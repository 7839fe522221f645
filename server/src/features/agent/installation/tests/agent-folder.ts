import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const realFolder = fileURLToPath(new URL('../../../../../../agent', import.meta.url));

/** Tells its status, as the real one does from its status.json. */
const agentProgram = (version: string, note: string) => `// status.json
console.log('agent ${version}${note}', ...process.argv.slice(2));
if (process.argv[2] === 'status') process.exitCode = 1;
`;

/** Runs until it is told to end. */
const launchProgram = `console.log('launch', process.argv[2]);
if (process.argv[3] === 'stay') setInterval(() => {}, 1_000);
`;

/** The folder of an agent whose programs only write what they were started with; with the real script. */
export async function makeAgentFolder(version = '1.0.0', note = ''): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-agent-'));
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, 'dist', 'version.json'), JSON.stringify({ version }));
  await writeFile(join(folder, 'dist', 'agent.mjs'), agentProgram(version, note));
  await writeFile(join(folder, 'dist', 'launch.mjs'), launchProgram);
  await writeFile(join(folder, 'install.sh'), await readFile(join(realFolder, 'install.sh')));
  return folder;
}
