import { stopAtWorkerEnd } from './worker-end.ts';
import type { SharedServer, TestServer } from './server.ts';
import { startTestServer } from './server.ts';

let shared: Promise<TestServer> | undefined;

/**
 * One server for all test files of a worker that ask for it: each start costs a third of a second of processor time. It
 * is for tests that look only at records of their own, made under new names by new people. A test that counts or lists
 * the records of everybody, changes settings, adds nodes or reads all of the log starts a server of its own.
 *
 * Test files of a worker share their modules (`isolate: false` in vitest.config.ts), and so this server.
 */
export function sharedTestServer(): Promise<SharedServer> {
  shared ??= startTestServer().then((server) => {
    stopAtWorkerEnd(() => server.stop());
    return server;
  });
  return shared;
}
