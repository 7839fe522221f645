import { fileURLToPath } from 'node:url';

const isBundled = !import.meta.url.endsWith('.ts');

/** A program of ours that runs in a process of its own, built beside the server; a checkout under test is built first. */
export const builtScript = (name: string): string =>
  fileURLToPath(new URL(isBundled ? `./${name}` : `../../dist/${name}`, import.meta.url));
