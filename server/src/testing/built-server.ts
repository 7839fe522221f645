import { fileURLToPath } from 'node:url';

/**
 * The server as it is built, for nodes in processes of their own. The test run builds it first if its sources have
 * changed (global-setup.ts). It starts with a third of the processor time that its sources need.
 */
export const builtServer = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
