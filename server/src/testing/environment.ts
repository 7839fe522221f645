import type { Environment } from 'vitest/runtime';
import { builtinEnvironments } from 'vitest/runtime';
import { endWorker } from './worker-end.ts';

const { node } = builtinEnvironments;

/** Vitest's environment for Node, which also stops what the test files of a worker share. */
export default {
  ...node,
  name: 'earshot',
  async setup(global, options) {
    const { teardown } = await node.setup(global, options);
    return {
      async teardown(ended) {
        await endWorker();
        await teardown(ended);
      },
    };
  },
} satisfies Environment;
