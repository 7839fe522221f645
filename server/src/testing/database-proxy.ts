import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createConnection, createServer } from 'node:net';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A way to a database that can fail as networks do. */
export interface DatabaseProxy {
  readonly url: string;
  /** As a host without power: connections stay open, and new ones are not answered. */
  silenceAll(): void;
  /** The same of the connection that was opened first. */
  silenceFirst(): void;
  /** Closes all connections, and new ones at once. */
  cut(): void;
  answerNewOnes(): void;
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const url = new URL(databaseUrl);
  const pairs: (readonly [Socket, Socket])[] = [];
  let state: 'open' | 'silent' | 'cut' = 'open';
  const server = createServer((socket) => {
    if (state === 'cut') return void socket.destroy();
    const target = createConnection(join(url.searchParams.get('host') ?? '', `.s.PGSQL.${url.port || 5432}`));
    for (const end of [socket, target]) end.on('error', () => {});
    pairs.push([socket, target]);
    if (state === 'open') socket.pipe(target).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const destroyAll = () => {
    for (const end of pairs.flat()) end.destroy();
  };
  onTestFinished(() => {
    destroyAll();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const silence = (chosen: typeof pairs) => {
    for (const [socket, target] of chosen) {
      socket.unpipe(target).pause();
      target.unpipe(socket).pause();
    }
  };
  return {
    url: `postgres://${url.username}:${url.password}@127.0.0.1:${port}${url.pathname}`,
    silenceAll() {
      state = 'silent';
      silence(pairs);
    },
    silenceFirst: () => silence(pairs.slice(0, 1)),
    cut() {
      state = 'cut';
      destroyAll();
    },
    answerNewOnes() {
      state = 'open';
    },
  };
}
