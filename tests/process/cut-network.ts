import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * A network between devices and server that can be cut: `open` passes everything on, `refused` ends every connection at
 * once, `halted` accepts connections and passes nothing on, as a radio link does that has lost its signal.
 */
export type NetworkState = 'open' | 'refused' | 'halted';

export interface CutNetwork {
  readonly url: string;
  set(state: NetworkState): void;
}

export async function startCutNetwork(serverPort: number): Promise<CutNetwork> {
  let state: NetworkState = 'open';
  const pairs = new Set<readonly [Socket, Socket]>();
  const listener = createServer((near) => {
    near.on('error', () => {});
    if (state === 'refused') return void near.resetAndDestroy();
    const far = connect(serverPort, '127.0.0.1');
    far.on('error', () => {});
    const pair = [near, far] as const;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    near.on('close', end);
    far.on('close', end);
    if (state === 'open') join(pair);
  });
  const join = ([near, far]: readonly [Socket, Socket]) => {
    near.pipe(far);
    far.pipe(near);
  };
  const halt = ([near, far]: readonly [Socket, Socket]) => {
    near.unpipe(far).pause();
    far.unpipe(near).pause();
  };
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const cutAll = () => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.resetAndDestroy();
    }
  };
  onTestFinished(() => {
    cutAll();
    listener.close();
  });
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    set(next) {
      if (next === state) return;
      state = next;
      if (next === 'refused') cutAll();
      else if (next === 'halted') for (const pair of pairs) halt(pair);
      // What was halted is continued, where the other side still waits.
      else for (const pair of pairs) join(pair);
    },
  };
}
