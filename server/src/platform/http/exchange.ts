import type { FastifyReply, FastifyRequest } from 'fastify';
import { findCookie } from './door/cookies.ts';
import { namesAnotherOrigin } from './door/origin.ts';

/** What a handler may read and set beyond the validated request. */
export interface Exchange {
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly authorization: string | undefined;
  readonly secure: boolean;
  cookie(name: string): string | undefined;
  /**
   * The origin of this server as the caller addressed it, from the header Host, which a caller can set to anything. Use
   * it only in addresses that this caller uses itself; addresses for other people are built from `consoleOrigin`.
   */
  readonly ownOrigin: string;
  /** The origin of the console that sent the request: the header Origin, if it is this server's own. */
  readonly consoleOrigin: string | undefined;
  setHeader(name: string, value: string): void;
}

/** Computes each value only when a handler asks for it: most handlers ask for none. */
export class HttpExchange implements Exchange {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request;
    this.#reply = reply;
  }

  get address(): string {
    return this.#request.ip;
  }

  get userAgent(): string | undefined {
    return this.#request.headers['user-agent'];
  }

  get authorization(): string | undefined {
    return this.#request.headers.authorization;
  }

  cookie(name: string): string | undefined {
    return findCookie(this.#request.headers, name);
  }

  get secure(): boolean {
    return this.#request.protocol === 'https';
  }

  get ownOrigin(): string {
    return `${this.#request.protocol}://${this.#request.host}`;
  }

  get consoleOrigin(): string | undefined {
    const { headers, host } = this.#request;
    return headers.origin === undefined || namesAnotherOrigin(headers, host, undefined)
      ? undefined
      : new URL(headers.origin).origin;
  }

  setHeader(name: string, value: string): void {
    this.#reply.header(name, value);
  }
}
