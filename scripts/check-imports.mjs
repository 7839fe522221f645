// Checks imports between feature folders: node scripts/check-imports.mjs <features root>...
// - A feature imports only the door of another feature, its `public.ts` or `public.tsx`.
// - A door only lists: `export { lockClip } from './queries.ts'`, and nothing else.
// - No file of a feature imports its own door.
// - There are no circles between folders. A circle between folders may pass through different files, so that a check of
//   circles between files does not find it.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';

const listFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));

/** Tests of a feature may use the helpers of another feature's tests. */
const isTest = (path) => /\.test\.tsx?$/.test(path) || path.split(sep).includes('tests');

/** Relative paths in `import … from '…'`, `export … from '…'`, `import '…'` and `import('…')`. */
const importPattern = /(?:\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.[^'"]+)\1/g;

const importsOf = (path) =>
  [...readFileSync(path, 'utf8').matchAll(importPattern)].map(([, , target]) => resolve(dirname(path), target));

/** Every import of a file of a feature by one of the features: from which feature and file, to which feature and file. */
function readFeatureImports(root) {
  const folder = resolve(root);
  const featureOf = (path) => {
    const [first, ...rest] = relative(folder, path).split(sep);
    return first === '..' || rest.length === 0 ? undefined : first;
  };
  return listFiles(folder).flatMap((path) =>
    importsOf(path)
      .map((target) => ({ from: featureOf(path), file: relative(folder, path), to: featureOf(target), target }))
      .filter(({ from, to }) => from !== undefined && to !== undefined),
  );
}

const isDoor = (path) => /^public\.tsx?$/.test(basename(path));

const comments = /\/\*[\s\S]*?\*\/|\/\/.*/g;
const listing = /^(?:\s*export (?:type )?\{[^{}]*\} from '\.\/[^']+';)*\s*$/;

/** Whether a door has only comments and lists of what files of its feature export. */
const onlyLists = (path) => listing.test(readFileSync(path, 'utf8').replaceAll(comments, ''));

/** For each feature, the features that it imports, each with one file that does. */
function graphOf(imports) {
  const graph = new Map();
  for (const { from, file, to } of imports) {
    const known = graph.get(from) ?? new Map();
    graph.set(from, known.has(to) ? known : known.set(to, file));
  }
  return graph;
}

/** The shortest circle through each feature that is part of one, each circle once. */
function findCircles(graph) {
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
  const ownDoor = imports.filter(({ from, to, target }) => from === to && isDoor(target));
  const between = imports.filter(({ from, to, file }) => from !== to && !isTest(file));
  const internal = between.filter(({ target }) => !isDoor(target));
  const fullDoors = listFiles(root).filter((path) => isDoor(path) && !onlyLists(path));
  for (const { file, to, target } of internal) {
    console.log(`${join(root, file)} imports ${to}/${basename(target)}: import ${to}/public.ts or public.tsx instead`);
  }
  for (const { file, target } of ownDoor) {
    console.log(`${join(root, file)} imports its own ${basename(target)}: import the file that declares it instead`);
  }
  for (const path of fullDoors) {
    console.log(`${path} does more than list: move the code to a file and export it here: export { … } from './….ts'`);
  }
  return internal.length + ownDoor.length + fullDoors.length + reportCircles(root, graphOf(between));
}

function reportCircles(root, graph) {
  const circles = findCircles(graph);
  for (const circle of circles) {
    console.log(`${root}: circle between features: ${[...circle, circle[0]].join(' → ')}`);
    for (const [index, feature] of circle.entries()) {
      const next = circle[(index + 1) % circle.length];
      console.log(`  ${graph.get(feature).get(next)} imports ${next}`);
    }
  }
  return circles.length;
}

const roots = process.argv.slice(2);
if (roots.length === 0) throw new Error('Name at least one folder of features.');
const count = roots.reduce((sum, root) => sum + reportFaults(root), 0);
console.log(count === 0 ? 'Imports between features are correct.' : `${count} faults in imports between features.`);
process.exitCode = count === 0 ? 0 : 1;
