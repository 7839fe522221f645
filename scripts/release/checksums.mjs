import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const checksumFile = 'SHA256SUMS';

/** Of all files of a folder, as `sha256sum --check` reads them. */
export function listChecksums(folder) {
  return readdirSync(folder)
    .filter((name) => name !== checksumFile)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    )
    .join('');
}
