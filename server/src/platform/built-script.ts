import { fileURLToPath } from 'node:url';

const isBundled = !import.meta.url.endsWith('.ts');

/** The path of a program that runs in a separate process and is built beside the server; tests need a build first. */
export const builtScript = (name: string): string =>
  fileURLToPath(new URL(isBundled ? `./${name}` : `../../dist/${name}`, import.meta.url));
