import type { FastifyReply, FastifyRequest } from 'fastify';
import { findCookie } from './cookies.ts';
import { namesAnotherOrigin } from './origin.ts';

/** What a handler may know and say beyond the validated request. */
export interface Exchange {
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly authorization: string | undefined;
  readonly secure: boolean;
  cookie(name: string): string | undefined;
  /**
   * This server as the caller addressed it, by the header Host, which may say anything. Only for an address that the
   * caller itself goes on to use; what is passed on to other people is made from `consoleOrigin`.
   */
  readonly ownOrigin: string;
  /** Where the console runs that asked: the Origin that a browser sent, when it is this server's own. */
  readonly consoleOrigin: string | undefined;
  setHeader(name: string, value: string): void;
}

/** Reads from the request only what is asked for: most handlers ask for nothing. */
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
