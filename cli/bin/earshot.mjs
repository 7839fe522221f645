#!/usr/bin/env node
// In a checkout, builds the command line first if its sources have changed; a package has it built.
import { existsSync } from 'node:fs';

const buildScript = new URL('../../scripts/build.mjs', import.meta.url);
if (existsSync(buildScript) && existsSync(new URL('../src', import.meta.url))) {
  const { build } = await import(buildScript.href);
  await build({ ifNeeded: true, only: ['cli'] });
}
await import('../dist/earshot.mjs');
