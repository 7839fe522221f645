import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { FaultyNetwork } from '../process/faulty-network.ts';
import { startFaultyNetwork } from '../process/faulty-network.ts';

const probeEveryMs = 250;
const probeMs = 1_000;

export interface Front {
  readonly network: FaultyNetwork;
  /** How often a node was taken out because it did not answer. */
  outages(): number;
}

/**
 * A load balancer before nodes at these ports: asks `/healthz`, gives new connections to nodes that answer, and ends those
 * of a node that does not.
 */
export async function startFront(ports: readonly number[]): Promise<Front> {
  const nodes = await Promise.all(
    ports.map(async (port) => ({ port, network: await startFaultyNetwork(port), isUp: false })),
  );
  const over = new AbortController();
  let turn = 0;
  let outages = 0;
  const probe = async (node: (typeof nodes)[number]): Promise<void> => {
    while (!over.signal.aborted) {
      const isUp = await fetch(`http://127.0.0.1:${node.port}/healthz`, { signal: AbortSignal.timeout(probeMs) }).then(
        async (response) => {
          await response.arrayBuffer();
          return true;
        },
        () => false,
      );
      if (node.isUp && !isUp) {
        outages += 1;
        node.network.cut();
      }
      node.isUp = isUp;
      await sleep(probeEveryMs);
    }
  };
  const probing = nodes.map(probe);
  onTestFinished(async () => {
    over.abort();
    await Promise.all(probing);
  });
  const network = await startFaultyNetwork(() => {
    const up = nodes.filter(({ isUp }) => isUp);
    turn += 1;
    return up[turn % Math.max(1, up.length)]?.network.port;
  });
  return { network, outages: () => outages };
}
