import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the programs of one file contain: the command line and the agent. */
export const bundledInPrograms = ['eventsource-parser', 'typebox'];

/** The licences of packages whose code is part of a file of ours. */
export function writeNotices(root, file, names) {
  return names
    .map((name) => {
      const folder = join(root, 'node_modules', name);
      const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const licence = readdirSync(folder).find((each) => /^licen[cs]e(\.|$)/i.test(each));
      if (licence === undefined) throw new Error(`${name} has no file with its licence`);
      return `${file} contains ${name} ${version}:\n\n${readFileSync(join(folder, licence), 'utf8')}`;
    })
    .join('\n');
}
