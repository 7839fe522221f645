import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const guide = fileURLToPath(new URL('../../docs/high-availability.md', import.meta.url));

/** The block of code of docs/high-availability.md below the line that names this file. */
export async function readBlock(name: string): Promise<string> {
  const text = await readFile(guide, 'utf8');
  const block = new RegExp(
    '^`' + name.replaceAll('.', String.raw`\.`) + '`[^\n]*\n+```\\w*\n([\\s\\S]*?)^```$',
    'm',
  ).exec(text);
  if (block?.[1] === undefined) throw new Error(`docs/high-availability.md has no block for ${name}`);
  return block[1];
}
