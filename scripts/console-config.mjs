import { join } from 'node:path';

/** What the build of the console and the dev server share. */
export const consoleConfig = (root) => ({
  configFile: false,
  root: join(root, 'console'),
  publicDir: false,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
});

export const consoleBuild = {
  write: false,
  target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
  // The font must be a file: the content security policy does not allow data URLs.
  assetsInlineLimit: 0,
  modulePreload: false,
  cssCodeSplit: true,
  reportCompressedSize: false,
};
