import { createECDH, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { createServer as createSocketServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import type { NewChannel } from '@earshot/contract/channel';
import { openMosquitto } from '@earshot/server/platform/mqtt/testing/broker-process';
import { isMissing } from '@earshot/server/testing/needs';
import { openMailServer } from '../../server/src/features/channel/tests/mail-listener.ts';

/** The other sides of channels, in this process or on this machine. */
export interface Receivers {
  /** The settings of a server that sends there. */
  readonly settings: Readonly<Record<string, string>>;
  /** A channel of each kind that can run here, by its name. */
  channelsFor(address: string): Readonly<Record<string, NewChannel>>;
  /** A channel that accepts connections and never answers. */
  readonly dead: NewChannel;
  /** Where a bare POST goes, to the same server as the messages of channels. */
  readonly bareURL: string;
  readonly hasBroker: boolean;
  stop(): Promise<void>;
}

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

export async function openReceivers(): Promise<Receivers> {
  const http = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(request.url === '/push' ? 201 : 200).end());
  });
  const sockets = new Set<Socket>();
  const silent = createSocketServer((socket) => {
    sockets.add(socket);
    socket.resume();
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  const [origin, deadURL] = [`http://127.0.0.1:${await listen(http)}`, `http://127.0.0.1:${await listen(silent)}/`];
  const mailServer = await openMailServer();
  const broker = isMissing('mosquitto') ? undefined : await openMosquitto();
  const keys = {
    p256dh: createECDH('prime256v1').generateKeys('base64url'),
    auth: randomBytes(16).toString('base64url'),
  };
  return {
    settings: {
      EARSHOT_ALLOW_NETWORKS: '127.0.0.0/8',
      EARSHOT_SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      EARSHOT_MAIL_FROM: 'earshot@example.org',
      ...(broker ? { EARSHOT_MQTT_URL: `mqtt://127.0.0.1:${broker.port}` } : {}),
    },
    channelsFor: (address) => ({
      webhook: { channelName: 'webhook', kind: 'webhook', settings: { url: `${origin}/webhook` } },
      ntfy: { channelName: 'ntfy', kind: 'ntfy', settings: { url: `${origin}/ntfy`, topic: 'bench' } },
      http: {
        channelName: 'http',
        kind: 'http',
        settings: { url: `${origin}/http`, template: '{"text":"{{title}} {{text}}"}' },
      },
      alertmanager: { channelName: 'alertmanager', kind: 'alertmanager', settings: { url: origin } },
      push: { channelName: 'push', kind: 'push', settings: { url: `${origin}/push`, ...keys } },
      email: { channelName: 'email', kind: 'email', settings: { address } },
      ...(broker ? { mqtt: { channelName: 'mqtt', kind: 'mqtt', settings: { topic: 'bench' } } as const } : {}),
    }),
    dead: { channelName: 'dead', kind: 'webhook', settings: { url: deadURL } },
    bareURL: `${origin}/bare`,
    hasBroker: broker !== undefined,
    async stop() {
      for (const socket of sockets) socket.destroy();
      silent.close();
      http.close();
      http.closeAllConnections();
      await mailServer.stop();
      await broker?.remove();
    },
  };
}
