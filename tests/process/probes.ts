import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import type { Credential } from '@earshot/client/credential';
import { onTestFinished } from 'vitest';

export async function statusOf(url: string, path: string): Promise<number> {
  const response = await fetch(new URL(path, url));
  await response.arrayBuffer();
  return response.status;
}

/** Undefined if the connection is accepted, otherwise the error code. */
export async function tryConnecting(url: string): Promise<string | undefined> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    socket.destroy();
  }
}

export interface OpenRequest {
  /** Sends the rest of the body and resolves to the status. */
  finish(): Promise<number | undefined>;
}

/**
 * A request that the server has started to process: it has sent 100 Continue, and half of the body is sent. The client
 * keeps the connection open.
 */
export async function beginRequest(
  url: string,
  path: string,
  body: object,
  credential?: Credential,
): Promise<OpenRequest> {
  const text = JSON.stringify(body);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const call = request(new URL(path, url), {
    agent,
    method: 'POST',
    ...(credential ? { auth: `${credential.accessKey}:${credential.secretKey}` } : {}),
    headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), expect: '100-continue' },
  });
  const answered = once(call, 'response') as Promise<[IncomingMessage]>;
  // A connection cut before `finish` is reported there.
  answered.catch(() => {});
  call.flushHeaders();
  await once(call, 'continue');
  const half = Math.floor(text.length / 2);
  call.write(text.slice(0, half));
  return {
    async finish() {
      call.end(text.slice(half));
      const [response] = await answered;
      response.resume();
      await once(response, 'end');
      return response.statusCode;
    },
  };
}
