// Checks imports between feature folders: node scripts/check-imports.mjs <features root>...
// - A feature imports only `public.ts` or `public.tsx` of another feature.
// - There are no circles between folders. A circle between folders may pass through different files, so that a check of
//   circles between files does not find it.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

const isSource = (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name);
/** Tests of a feature may use the helpers of another feature's tests. */
const isTestFolder = (name) => name === 'tests';

function listSources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isTestFolder(entry.name) ? [] : listSources(path);
    return isSource(entry.name) ? [path] : [];
  });
}

/** Relative paths in `import … from '…'`, `export … from '…'`, `import '…'` and `import('…')`. */
const importPattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.[^'"]+)\1/g;

const importsOf = (path) =>
  [...readFileSync(path, 'utf8').matchAll(importPattern)].map(([, , target]) => resolve(dirname(path), target));

/** Every import of one feature by another: from which feature and file, to which feature and file. */
export function readFeatureImports(root) {
  const folder = resolve(root);
  const featureOf = (path) => {
    const [first, ...rest] = relative(folder, path).split(sep);
    return first === '..' || rest.length === 0 ? undefined : first;
  };
  return listSources(folder).flatMap((path) =>
    importsOf(path)
      .map((target) => ({ from: featureOf(path), file: relative(folder, path), to: featureOf(target), target }))
      .filter(({ from, to }) => from !== undefined && to !== undefined && from !== to),
  );
}

const isPublic = ({ target }) => /^public\.tsx?$/.test(basename(target));

/** For each feature, the features that it imports, each with one file that does. */
export function graphOf(imports) {
  const graph = new Map();
  for (const { from, file, to } of imports) {
    const known = graph.get(from) ?? new Map();
    graph.set(from, known.has(to) ? known : known.set(to, file));
  }
  return graph;
}

/** The shortest circle through each feature that is part of one, each circle once. */
export function findCircles(graph) {
  const circles = new Map();
  for (const start of graph.keys()) {
    const circle = shortestCircle(graph, start);
    if (circle) circles.set(circle.toSorted((a, b) => a.localeCompare(b)).join(' '), circle);
  }
  return [...circles.values()];
}

function shortestCircle(graph, start) {
  const before = new Map();
  const queue = [start];
  for (const feature of queue) {
    for (const next of graph.get(feature)?.keys() ?? []) {
      if (next === start) return pathTo(before, start, feature);
      if (before.has(next)) continue;
      before.set(next, feature);
      queue.push(next);
    }
  }
  return undefined;
}

function pathTo(before, start, end) {
  const path = [end];
  while (path[0] !== start) path.unshift(before.get(path[0]));
  return path;
}

/** Prints what is wrong below a root; returns how many faults there are. */
function reportFaults(root) {
  const imports = readFeatureImports(root);
  const graph = graphOf(imports);
  const circles = findCircles(graph);
  const internal = imports.filter((each) => !isPublic(each));
  for (const { file, to, target } of internal) {
    console.log(`${join(root, file)} imports ${to}/${basename(target)}: import ${to}/public.ts or public.tsx instead`);
  }
  for (const circle of circles) {
    console.log(`${root}: circle between features: ${[...circle, circle[0]].join(' → ')}`);
    for (const [index, feature] of circle.entries()) {
      const next = circle[(index + 1) % circle.length];
      console.log(`  ${graph.get(feature).get(next)} imports ${next}`);
    }
  }
  return circles.length + internal.length;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const roots = process.argv.slice(2);
  if (roots.length === 0) throw new Error('Name at least one folder of features.');
  const count = roots.reduce((sum, root) => sum + reportFaults(root), 0);
  console.log(count === 0 ? 'Imports between features are correct.' : `${count} faults in imports between features.`);
  process.exitCode = count === 0 ? 0 : 1;
}
