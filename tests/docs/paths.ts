import type { FindFaults, Sources } from './sources.ts';

const pathPattern = /^[\w.@<>*…{}-]+(?:\/[\w.@<>*…{}-]+)*\/?$/;
const sourceEnding = /\.(?:tsx?|mjs|sql)$/;

/** Files that a build or a run makes. */
const isMade = (path: string): boolean => /(?:^|\/)(?:dist|node_modules|coverage)(?:\/|$)/.test(path);

/** `<noun>`, `*` and `…` stand for anything. */
const patternOf = (path: string, end: string): RegExp =>
  new RegExp(
    `(?:^|/)${path
      .replace(/\/$/, '')
      .split(/<[^>]*>|\*+|…/)
      .map((part) => part.replaceAll(/[.{}@-]/g, String.raw`\$&`))
      .join('[^/]*')}${end}`,
  );

/** A path of the project, or the end of one: `event/queries.ts`. In commands also its beginning: vitest takes that. */
function exists(path: string, isCommand: boolean, { files }: Sources): boolean {
  const pattern = patternOf(path, isCommand ? '' : '(?:$|/)');
  return files.some((file) => pattern.test(file));
}

const isPath = (word: string, { files }: Sources): boolean => {
  if (!pathPattern.test(word) || isMade(word)) return false;
  if (sourceEnding.test(word)) return true;
  const [first = '', ...others] = word.split('/');
  return others.length > 0 && files.some((file) => file.startsWith(`${first}/`));
};

export const findPathFaults: FindFaults = ({ kind, text }, sources) => {
  if (kind === 'link') return [];
  const words = kind === 'code' ? [text] : text.split(/[\s'"=]+/);
  return words
    .map((word) => word.replace(/^\.\//, ''))
    .filter((word) => isPath(word, sources) && !exists(word, kind === 'command', sources))
    .map((word) => `there is no file or folder ${word}`);
};
