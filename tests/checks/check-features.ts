import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

type Files = Readonly<Record<string, string>>;

/** Runs a check of `scripts/` over a folder of features that is correct but for the given files. */
export const createCheck = (name: string, correct: Files) => (files: Files) => {
  const script = fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url));
  const root = mkdtempSync(join(tmpdir(), 'earshot-check-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries({ ...correct, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { status, stdout } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' });
  return { status, text: stdout.replaceAll(root, '') };
};
