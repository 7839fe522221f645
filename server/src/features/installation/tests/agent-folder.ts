import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const realFolder = fileURLToPath(new URL('../../../../../agent', import.meta.url));

/** The folder of an agent whose programs only write what they were started with; with the real script. */
export async function makeAgentFolder(version = '1.0.0', note = ''): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-agent-'));
  await mkdir(join(folder, 'dist'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ version }));
  await writeFile(join(folder, 'dist', 'agent.mjs'), `console.log('agent ${version}${note}');\n`);
  await writeFile(join(folder, 'dist', 'launch.mjs'), `console.log('launch', process.argv[2]);\n`);
  await writeFile(join(folder, 'install.sh'), await readFile(join(realFolder, 'install.sh')));
  return folder;
}
