import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from '../process/server-process.ts';

/** The commands of docs/deploy.md whose first line is `# test: <kind>`. */
export async function blockOf(kind: string): Promise<string> {
  const guide = await readFile(join(repository, 'docs/deploy.md'), 'utf8');
  return new RegExp(`^\`\`\`sh\\n# test: ${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide)?.[1] ?? '';
}
