import type { Operation } from '@earshot/contract/operation';
import { signedScheme } from '@earshot/contract/signing';
import type { FastifyRequest } from 'fastify';
import { forbidden, Refusal } from '../../../errors.ts';
import type { HttpOptions } from '../http-app.ts';
import type { Identified } from './authentication.ts';
import { admit } from '../caller.ts';
import { networkOf } from './client-network.ts';
import { chooseMedia, requireBytes, requireJson, requirePlain } from '../answer/negotiation.ts';
import { isBrowserFetch, namesAnotherOrigin } from './origin.ts';
import type { RateLimit } from './rate-limit.ts';

/**
 * All checks that need only the request head run before the body is read, so that an unknown caller cannot make the
 * server receive a large body. Asynchronous only if the credential must be looked up; the usual request stays in one
 * turn of the event loop.
 */
export function enter(options: HttpOptions, operation: Operation, request: FastifyRequest): Promise<void> | void {
  refuseOtherOrigins(options, operation, request);
  if (operation.access === 'anyone') {
    options.rateLimit.take(networkOf(request.ip));
    return negotiate(operation, request);
  }
  const identified = identify(options, request);
  if (!(identified instanceof Promise)) return pass(options, operation, request, identified);
  return identified.then((found) => pass(options, operation, request, found));
}

function identify(
  { authenticator, rateLimit }: HttpOptions,
  request: FastifyRequest,
): Identified | Promise<Identified> {
  const { method, headers, ip: address } = request;
  const countGuess = guessCounter(rateLimit, address);
  try {
    const beforeLookUp = () => rateLimit.requireLeft(networkOf(address));
    const identified = authenticator.identify({ method, headers, address, url: request.raw.url ?? '/', beforeLookUp });
    return identified instanceof Promise ? identified.catch(countGuess) : identified;
  } catch (error) {
    return countGuess(error);
  }
}

/** Failed attempts are counted per address, because they have no valid credential to count by. */
const guessCounter =
  (rateLimit: RateLimit, address: string) =>
  (error: unknown): never => {
    if (error instanceof Refusal && error.code === 'unauthenticated') rateLimit.take(networkOf(address));
    throw error;
  };

function pass(
  { rateLimit }: HttpOptions,
  operation: Operation,
  request: FastifyRequest,
  { caller, confirm }: Identified,
): void {
  const judge = (): void => {
    request.caller = caller;
    rateLimit.take(caller.credential);
    admit(operation, caller);
  };
  // A signed request counts as a failed attempt until its body proves the signature: it does not use up the rate limit
  // of the key and learns nothing about it.
  if (confirm) request.confirm = (body) => confirm(body).then(judge, guessCounter(rateLimit, request.ip));
  else judge();
  negotiate(operation, request);
}

function negotiate(operation: Operation, request: FastifyRequest): void {
  const { headers } = request;
  if (operation.body) requireJson(headers['content-type'], headers['content-encoding']);
  if (operation.bytes === 'received') requirePlain(headers['content-encoding']);
  if (operation.bytesType !== undefined) requireBytes(operation, headers['content-type']);
  // A byte response has only one type, so the Accept header of a media player is ignored, and so is that of a recorder.
  if (operation.bytes !== 'sent' && !operation.gateway) request.media = chooseMedia(headers.accept, operation.media);
  // Already checked. Fastify would reject a malformed one, even for operations without a body.
  delete headers['content-type'];
}

function refuseOtherOrigins(options: HttpOptions, operation: Operation, request: FastifyRequest): void {
  const { authenticator, publicOrigin } = options;
  const usesSession = operation.access !== 'anyone' && authenticator.carriesSession(request.headers);
  if (!operation.sameOrigin && !usesSession) return;
  if (namesAnotherOrigin(request.headers, request.host, publicOrigin)) {
    throw forbidden('A web session cannot be used from another origin.');
  }
}

/** Adds WWW-Authenticate to a 401, without Basic for a fetch by a browser, which would show its own password dialog. */
export function challenge(request: FastifyRequest, refusal: Refusal): Refusal {
  if (refusal.code !== 'unauthenticated') return refusal;
  const signed = `${signedScheme} realm="earshot"`;
  const schemes = isBrowserFetch(request.headers) ? signed : `Basic realm="earshot", charset="UTF-8", ${signed}`;
  return new Refusal(refusal.code, refusal.message, { headers: { ...refusal.headers, 'www-authenticate': schemes } });
}
