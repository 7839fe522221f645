// The version of a build: `node scripts/version.mjs` prints it. The next release stands in package.json; git says the rest:
//
//   0.2.0                         the tag v0.2.0
//   0.2.0-dev.12+8fd831d          12 commits after the tag before it, or after none; older than 0.2.0
//   0.2.0-dev.12+8fd831d.changed  the same with changes that are not committed
//
// A folder without git has a version.json instead if it was unpacked from an archive of a release.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** In an archive, beside package.json; and in the folder of each product that was built. */
export const versionFile = 'version.json';

export const tagOf = (version) => `v${version}`;

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** The release that is being worked on: the only place where a version is written by hand. */
export const readNextVersion = (root) => readJson(join(root, 'package.json')).version;

/** The version that a file of a build or of an archive names; undefined without the file. */
export function readVersionFile(folder) {
  const path = join(folder, versionFile);
  return existsSync(path) ? readJson(path).version : undefined;
}

export const writeVersion = (version) => `${JSON.stringify({ version })}\n`;

/** Undefined if neither git nor a file knows it. */
export function findVersion(root) {
  return existsSync(join(root, '.git')) ? describeCommit(root) : readVersionFile(root);
}

/** For a build whose commit is not known. */
export const unknownVersion = (root) => `${readNextVersion(root)}-dev+unknown`;

/** Git refuses folders of other users, because their settings can run programs; the scripts of this one run already. */
const runGit = (root, ...args) =>
  execFileSync('git', ['-c', 'safe.directory=*', ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

function describeCommit(root) {
  const next = readNextVersion(root);
  try {
    const describe = ['describe', '--tags', '--match=v[0-9]*', '--long', '--abbrev=7', '--always', '--dirty=.changed'];
    const described = runGit(root, ...describe);
    const [, tag, count, commit] = /^(v.+)-(\d+)-g([0-9a-f]+(?:\.changed)?)$/.exec(described) ?? [];
    if (tag === undefined) return `${next}-dev.${runGit(root, 'rev-list', '--count', 'HEAD')}+${described}`;
    if (tag === tagOf(next) && count === '0' && !commit.endsWith('.changed')) return next;
    return `${next}-dev.${count}+${commit}`;
  } catch {
    // Without the program git, or before the first commit.
    return undefined;
  }
}

const pattern = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

export const isVersion = (text) => pattern.test(text);

/** Negative if the first is older (semver.org, 11): a pre-release is older than its release, the commit does not count. */
export function compareVersions(one, other) {
  const [parts, others] = [one, other].map((text) => {
    const found = pattern.exec(text);
    if (!found) throw new Error(`“${text}” is not a version such as 0.2.0`);
    return { numbers: found.slice(1, 4).map(Number), pre: found[4]?.split('.') };
  });
  for (const [at, number] of parts.numbers.entries()) {
    if (number !== others.numbers[at]) return number - others.numbers[at];
  }
  if (!parts.pre || !others.pre) return Number(!parts.pre) - Number(!others.pre);
  for (const [at, word] of parts.pre.entries()) {
    const compared = compareWords(word, others.pre[at]);
    if (compared !== 0) return compared;
  }
  return parts.pre.length - others.pre.length;
}

/** Numbers by value and before words; more words are newer. */
function compareWords(one, other) {
  if (other === undefined) return 1;
  const [isNumber, isOtherNumber] = [one, other].map((word) => /^\d+$/.test(word));
  if (isNumber && isOtherNumber) return Number(one) - Number(other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = join(dirname(fileURLToPath(import.meta.url)), '..');
  process.stdout.write(`${findVersion(root) ?? unknownVersion(root)}\n`);
}
