// Makes a release: npm run release -- --help
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { compareVersions, findVersion, isVersion, readNextVersion, tagOf } from '../version.mjs';
import { makeArtefacts } from './artefacts.mjs';
import { releaseChangelog } from './changelog.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const usage = `npm run release [-- OPTIONS]
Releases the version in package.json: checks, artefacts, changelog, commit, tag, next version. Nothing is pushed.

  --dry-run       only makes the artefacts of the current commit: no checks, changelog, commit or tag
  --into FOLDER   the folder of the artefacts, empty or new (default: dist/VERSION)
  --next VERSION  the version after this one (default: the next minor version)
  --skip-tests    no checks and tests, for a commit that CI has tested
`;

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr?.trim()}`);
  return stdout.trim();
}

function requireCleanTree() {
  const changed = git('status', '--porcelain');
  if (changed === '') return;
  throw new Error(
    `a release is made of commits, and these files have changes:\n${changed}\nCommit, stash or remove them.`,
  );
}

function requireNewVersion(version, next) {
  for (const text of [version, next]) {
    if (!/^\d+\.\d+\.\d+$/.test(text)) throw new Error(`“${text}” is not a version such as 0.2.0`);
  }
  if (compareVersions(next, version) <= 0) throw new Error(`--next ${next} is not newer than ${version}`);
  const tagged = git('tag', '--list', 'v[0-9]*')
    .split('\n')
    .map((tag) => tag.slice(1));
  const newer = tagged.find((each) => isVersion(each) && compareVersions(each, version) >= 0);
  if (newer) throw new Error(`${newer} is tagged already; change the version in package.json to a newer one`);
}

function nextMinor(version) {
  const [major, minor] = version.split('.');
  return `${major}.${Number(minor) + 1}.0`;
}

const folderOf = (version, into) => resolve(into ?? join(root, 'dist', version));

async function rehearse(into) {
  const version = findVersion(root);
  if (version === undefined) throw new Error('git does not know the commit; run it in a clone');
  const folder = folderOf(version, into);
  await makeArtefacts({ root, commit: 'HEAD', version, into: folder });
  say(`The artefacts of ${version} are in ${folder}`);
}

/** The tag and the branch move at the end, so that a failure before it leaves nothing behind. */
async function release({ version, next, into, skipTests }) {
  requireNewVersion(version, next);
  git('symbolic-ref', '--quiet', 'HEAD');
  const path = join(root, 'CHANGELOG.md');
  const changelog = releaseChangelog(readFileSync(path, 'utf8'), version, new Date().toISOString().slice(0, 10));
  if (!skipTests && spawnSync('npm', ['test'], { cwd: root, stdio: 'inherit' }).status !== 0) {
    throw new Error('the tests failed; nothing was changed');
  }
  const folder = folderOf(version, into);
  try {
    writeFileSync(path, changelog);
    git('add', 'CHANGELOG.md');
    const commit = git('commit-tree', git('write-tree'), '-p', 'HEAD', '-m', `Release ${version}`);
    await makeArtefacts({ root, commit, version, into: folder });
    git('tag', '--annotate', tagOf(version), commit, '--message', `Earshot ${version}`);
    git('reset', '--soft', commit);
  } catch (error) {
    git('checkout', 'HEAD', '--', 'CHANGELOG.md');
    throw error;
  }
  setNextVersion(next);
  git('commit', '--quiet', '--all', '--message', `Version ${next} comes next`);
  say(`Released ${version}. Its artefacts are in ${folder}. To publish it: git push --follow-tags`);
}

function setNextVersion(next) {
  for (const name of ['package.json', 'package-lock.json']) {
    const file = JSON.parse(readFileSync(join(root, name), 'utf8'));
    file.version = next;
    if (file.packages) file.packages[''].version = next;
    writeFileSync(join(root, name), `${JSON.stringify(file, undefined, 2)}\n`);
  }
}

const say = (line) => process.stdout.write(`${line}\n`);

async function main() {
  const { values } = parseArgs({
    options: {
      'dry-run': { type: 'boolean' },
      'skip-tests': { type: 'boolean' },
      into: { type: 'string' },
      next: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return say(usage);
  requireCleanTree();
  if (values['dry-run']) return rehearse(values.into);
  const version = readNextVersion(root);
  const { next = nextMinor(version), into, 'skip-tests': skipTests } = values;
  return release({ version, next, into, skipTests });
}

try {
  await main();
} catch (error) {
  process.stderr.write(`release: ${error.message}\n`);
  process.exitCode = 1;
}
