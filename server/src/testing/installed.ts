import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Why a test that runs these programs is skipped; undefined if they are installed. Each program has the name of its
 * Debian package. `npm test` installs them where it is allowed to.
 */
export function whyNotInstalled(...programs: readonly string[]): string | undefined {
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return undefined;
  return `not installed: run \`apt-get install ${missing.join(' ')}\` as root`;
}

function isInstalled(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
