import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from '../build.mjs';
import { bundledInPrograms, writeNotices } from '../third-party.mjs';
import { versionFile, writeVersion } from '../version.mjs';
import { writeBillOfMaterials } from './bill-of-materials.mjs';
import { checksumFile, listChecksums } from './checksums.mjs';
import { cliPackageFiles } from './cli-package.mjs';

/**
 * Makes the files of a release in an empty folder, from a commit that the working folder is equal to. The same commit, Node
 * and npm make the same bytes. Their names leave the commit out: not every
 * place accepts a plus sign.
 */
export async function makeArtefacts({ root, commit, version, into }) {
  mkdirSync(into, { recursive: true });
  if (readdirSync(into).length > 0) throw new Error(`${into} is not empty; remove it, or choose another with --into`);
  const [name] = version.split('+');
  const write = (file, contents) => writeFileSync(join(into, file), contents);
  try {
    await build({ version });
    writePrograms(root, name, into);
    write(`earshot-${name}.tgz`, packFiles(cliPackageFiles(root, version)));
    write(`earshot-client-${name}.tgz`, packFolder(join(root, 'client/dist')));
    write(`earshot-${name}-image-context.tar.gz`, archiveSources(root, commit, version));
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    write(`earshot-${name}.cdx.json`, writeBillOfMaterials(lock, version));
    write('THIRD-PARTY.txt', writeNotices(root, 'each .mjs file', bundledInPrograms));
    write(checksumFile, listChecksums(into));
  } catch (error) {
    rmSync(into, { recursive: true, force: true });
    throw error;
  }
}

function writePrograms(root, name, into) {
  copyFileSync(join(root, 'agent/dist/agent.mjs'), join(into, `earshot-agent-${name}.mjs`));
  copyFileSync(join(root, 'agent/dist/launch.mjs'), join(into, `earshot-agent-launch-${name}.mjs`));
  const commandLine = join(into, `earshot-${name}.mjs`);
  writeFileSync(commandLine, `#!/usr/bin/env node\n${readFileSync(join(root, 'cli/dist/earshot.mjs'), 'utf8')}`);
  chmodSync(commandLine, 0o755);
}

function withFolder(act) {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-release-'));
  try {
    return act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The bytes of a package. npm gives every file in it the same time; how it names the package depends on its version. */
const packFolder = (folder) =>
  withFolder((packed) => {
    execFileSync('npm', ['pack', folder, '--silent', '--pack-destination', packed], { cwd: packed, stdio: 'ignore' });
    return readFileSync(join(packed, readdirSync(packed)[0]));
  });

const packFiles = (files) =>
  withFolder((folder) => {
    for (const [name, contents] of files) {
      mkdirSync(join(folder, dirname(name)), { recursive: true });
      writeFileSync(join(folder, name), contents);
    }
    return packFolder(folder);
  });

/** What `deploy/Containerfile` is built from, and what `npm ci && npm start` needs. Git gives all files the commit's time. */
function archiveSources(root, commit, version) {
  const added = `--add-virtual-file=${versionFile}:${writeVersion(version)}`;
  const tar = execFileSync('git', ['archive', '--format=tar', added, commit], { cwd: root, maxBuffer: 2 ** 30 });
  return gzipSync(tar, { level: 9 });
}
