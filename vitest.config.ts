import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{contract,server,client,console,tests,bench}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.long.test.ts'],
    globalSetup: ['server/src/testing/global-setup.ts'],
    // Real databases and processes on two noisy cores: a limit that only a hang reaches.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    server: { deps: { inline: [/@earshot\//] } },
  },
});
