import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/**
 * How a network fails: `open` passes everything on, `refused` ends every connection at once, `silent` accepts connections
 * and passes nothing on, as a host without power or a radio link without signal, `slow` delays every piece.
 */
export type NetworkState = 'open' | 'refused' | 'silent' | 'slow';

export interface FaultyNetwork {
  readonly port: number;
  /** As the address of an HTTP server. */
  readonly url: string;
  /** What was held back in silence is passed on when it ends, where the other side still waits. */
  set(state: NetworkState): void;
  /** Ends the present connections. */
  cut(): void;
}

const slowMs = 100;

/** A network on the way to a port of this machine; with a function, each connection goes where that says. */
export async function startFaultyNetwork(target: number | (() => number | undefined)): Promise<FaultyNetwork> {
  let state: NetworkState = 'open';
  let changed = () => {};
  let change = new Promise<void>((resolve) => (changed = resolve));
  const sockets = new Set<Socket>();

  const track = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => {});
    return socket.on('close', () => sockets.delete(socket));
  };
  const is = (asked: NetworkState) => state === asked;
  const passable = async (): Promise<void> => {
    if (is('slow')) await sleep(slowMs);
    while (is('silent')) await change;
  };
  /** Ends the other side too, but not during silence: what happens behind it is not seen before it. */
  const endWith = async (socket: Socket): Promise<void> => {
    while (is('silent')) await change;
    socket.resetAndDestroy();
  };
  const pass = async (from: Socket, to: Socket): Promise<void> => {
    try {
      for await (const chunk of from) {
        await passable();
        if (!to.write(chunk as Buffer)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
      }
      await passable();
      to.end();
    } catch {
      // One side has ended the connection.
    } finally {
      if (from.errored || to.destroyed) for (const socket of [from, to]) void endWith(socket);
    }
  };
  const accept = async (near: Socket): Promise<void> => {
    await passable();
    const port = typeof target === 'function' ? target() : target;
    if (is('refused') || port === undefined) return void near.resetAndDestroy();
    const far = track(connect({ port, host: '127.0.0.1', allowHalfOpen: true }));
    near.once('close', (isError) => isError && far.destroy());
    far.once('close', (isError) => isError && void endWith(near));
    void pass(near, far);
    void pass(far, near);
  };
  const listener = createServer({ allowHalfOpen: true }, (socket) => void accept(track(socket)));
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  onTestFinished(() => {
    cut();
    listener.close();
  });
  const { port } = listener.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    cut,
    set(next) {
      if (next === state) return;
      state = next;
      if (next === 'refused') cut();
      changed();
      change = new Promise((resolve) => (changed = resolve));
    },
  };
}
