import type { Operation } from '@earshot/contract/operation';
import { matchesPath } from '../templates.ts';

/**
 * Recorders join the configured address of a server and a path. If the address ends in `/`, the path has two: `//api/…`.
 * Returns the function that removes repeated slashes from the target of a request to a gateway. All other targets stay
 * as they are, so that no path has a second spelling that a check could miss. Gateways are open to anyone: their keys
 * are in the form.
 */
export function gatewayPathReader(operations: readonly (readonly [string, Operation])[]): (target: string) => string {
  const gateways = operations.flatMap(([, { gateway, access, path }]) =>
    gateway && access === 'anyone' ? [path] : [],
  );
  return (target) => {
    if (!target.startsWith('/') || !target.includes('//')) return target;
    const queryAt = target.indexOf('?');
    const path = queryAt < 0 ? target : target.slice(0, queryAt);
    const single = path.replaceAll(/\/{2,}/g, '/');
    const isOfGateway = gateways.some((gateway) => matchesPath(gateway, single));
    return isOfGateway ? single + target.slice(path.length) : target;
  };
}
