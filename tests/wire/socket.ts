import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A plain connection, for bytes that no HTTP client would send. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  // A server that refuses may reset the connection while the test still writes; only the response counts.
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

/** All bytes that the server sends until it closes the connection. */
export async function readToEnd(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  if (!socket.closed) await once(socket, 'close');
  return Buffer.concat(chunks).toString('utf8');
}

/** Sends bytes and reads one response; the server must close the connection after it. */
export async function exchange(url: string, text: string | Uint8Array): Promise<RawAnswer> {
  const socket = await openSocket(url);
  const said = readToEnd(socket);
  socket.write(text);
  return parseAnswer(await said);
}

export function parseAnswer(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [statusLine = '', ...lines] = head.split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  return { status: Number(statusLine.split(' ')[1]), headers, body: rest.join('\r\n\r\n') };
}
