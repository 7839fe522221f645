import { once } from 'node:events';
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { asSound } from '../../../../testing/speech.ts';
import type { CaptionEngine, Captions } from '../../engine.ts';
import type { RemoteEngineOptions } from '../remote-engine.ts';
import { createRemoteEngine } from '../remote-engine.ts';

export const key = 'sk-very-secret-0123456789';
export const never = new AbortController().signal;

export interface ReceivedCall {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type AnswerCall = (asked: ReceivedCall, response: ServerResponse) => void;

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): AnswerCall =>
  (_, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A test server with programmable responses, and engines that call it. */
export class RemoteServer {
  asked: ReceivedCall[] = [];
  answer: AnswerCall = json({});
  url = '';
  private readonly engines: CaptionEngine[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      const take = async () => {
        const { method, url, headers } = request;
        const asked = { method, url, headers, body: await buffer(request) };
        this.asked.push(asked);
        this.answer(asked, response);
      };
      void take();
    });
  }

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  engine(options: Partial<RemoteEngineOptions> = {}): CaptionEngine {
    const engine = createRemoteEngine({ kind: 'openai', url: this.url, key, firstWaitMs: 1, ...options });
    this.engines.push(engine);
    return engine;
  }

  caption(samples: Float32Array, options: Partial<RemoteEngineOptions> = {}, signal = never): Promise<Captions> {
    return this.engine(options).caption(asSound(samples), { signal });
  }

  async stop(): Promise<void> {
    await Promise.all(this.engines.splice(0).map((engine) => engine.close()));
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** The error of work that must fail. */
export async function failureOf(work: Promise<unknown>): Promise<Error & { readonly retryAfterMs?: number }> {
  try {
    await work;
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not fail');
}
