// The npm packages that a release contains or installs, from package-lock.json, as CycloneDX 1.5. Made here because
// `npm sbom` adds the time and a random number, and counts what the console's build contains as development.

/** The workspaces that are released. The build of the console contains its development packages. */
const releasedWorkspaces = [
  { workspace: 'server', kinds: ['dependencies', 'optionalDependencies'] },
  { workspace: 'agent', kinds: ['dependencies'] },
  { workspace: 'cli', kinds: ['dependencies'] },
  { workspace: 'client', kinds: ['dependencies'] },
  { workspace: 'contract', kinds: ['dependencies'] },
  { workspace: 'console', kinds: ['dependencies', 'devDependencies'] },
];

export function writeBillOfMaterials(lock, version) {
  const released = collectReleased(lock);
  // In the order of the lock file.
  const paths = Object.keys(lock.packages).filter((path) => released.has(path));
  const components = paths.map((path) => componentOf(path, lock.packages[path]));
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', name: 'earshot', version, 'bom-ref': `earshot@${version}` } },
    components,
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** The paths of the packages in the lock file, followed from the released workspaces. */
function collectReleased({ packages }) {
  const found = new Set();
  const follow = (path, kinds) => {
    for (const name of kinds.flatMap((kind) => Object.keys(packages[path][kind] ?? {}))) {
      const target = resolvePackage(packages, path, name);
      // A package for another system may be missing, and workspaces have a line of their own above.
      if (target === undefined || packages[target].link || found.has(target)) continue;
      found.add(target);
      follow(target, ['dependencies', 'optionalDependencies']);
    }
  };
  for (const { workspace, kinds } of releasedWorkspaces) follow(workspace, kinds);
  return found;
}

/** As Node resolves it: the nearest node_modules on the way up. */
function resolvePackage(packages, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[path]) return path;
    if (folder === '') return undefined;
  }
}

function componentOf(path, { version, license, integrity }) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': path,
    name,
    version,
    purl,
    ...(license ? { licenses: [licenseOf(license)] } : {}),
    ...(integrity ? { hashes: [hashOf(integrity)] } : {}),
  };
}

/** A single identifier is an id of SPDX; several are an expression. */
const licenseOf = (license) => (/^[\w.+-]+$/.test(license) ? { license: { id: license } } : { expression: license });

function hashOf(integrity) {
  const [, kind, digest] = /^(sha\d+)-(\S+)$/.exec(integrity.split(' ')[0]);
  return { alg: kind.toUpperCase().replace('SHA', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') };
}
