import { defineConfig, mergeConfig } from 'vitest/config';
import common from './vitest.config.ts';

/** What takes long, by its file name. */
export default mergeConfig(
  common,
  defineConfig({
    test: { include: ['{server,tests}/**/*.long.test.ts'], exclude: ['**/node_modules/**'], testTimeout: 3_600_000 },
  }),
);
