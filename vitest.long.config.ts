import { defineConfig } from 'vitest/config';
import common from './vitest.config.ts';

/** What takes long, by its file name. */
export default defineConfig({
  ...common,
  test: {
    ...common.test,
    include: ['{server,agent,tests,bench}/**/*.long.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 3_600_000,
  },
});
