import type { IncomingMessage } from 'node:http';
import type { Operation } from '@earshot/contract/operation';
import { methodOverrideHeader } from '@earshot/contract/operation';
import { pathOf } from '../answer/problem.ts';

/**
 * Gives a POST the method that it names in the header, if the contract allows that for its path. Runs before anything
 * else reads the request, so that route, rights, content type, signature, limits and log are those of that method.
 * Everything else in the header is ignored.
 */
export function createMethodOverride(operations: readonly Operation[]): (request: IncomingMessage) => void {
  const allowed = operations
    .filter(({ asPost }) => asPost)
    .map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  return (request) => {
    const named = request.headers[methodOverrideHeader];
    if (request.method !== 'POST' || named === undefined) return;
    const [method, path] = [String(named).trim().toUpperCase(), pathOf(request.url)];
    if (allowed.some((each) => each.method === method && each.pattern.test(path))) request.method = method;
  };
}

/** A name in braces stands for a key, so that no other path with a POST of its own fits. */
const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '\\d+')}/?$`);
