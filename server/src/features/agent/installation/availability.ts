import { isIP } from 'node:net';
import type { InstallationState } from '@earshot/contract/installation';
import type { ShippedAgent } from '../release/shipping.ts';

export interface InstallSettings {
  readonly publicOrigin: string | undefined;
  readonly installOverHttp: boolean;
}

/** What the script needs. */
export interface InstallFacts {
  readonly server: string;
  readonly agent: ShippedAgent;
}

/** A server that this machine itself runs: nobody is on the way. */
function isLocal(hostname: string): boolean {
  const name = hostname.replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

/** The facts, or what the operator must do before recorders can be installed. */
export function findInstallFacts(
  { publicOrigin, installOverHttp }: InstallSettings,
  shipped: ShippedAgent | undefined,
): InstallFacts | string {
  if (publicOrigin === undefined) {
    return 'Set EARSHOT_PUBLIC_URL to the https address under which devices reach this server, and restart it.';
  }
  const { protocol, hostname } = new URL(publicOrigin);
  // The address becomes part of a shell script.
  if (!/^https?:\/\/[A-Za-z0-9.:[\]-]+$/.test(publicOrigin)) {
    return 'Set EARSHOT_PUBLIC_URL to an address whose host has only letters, digits, dots and hyphens, and restart the server.';
  }
  if (protocol !== 'https:' && !installOverHttp && !isLocal(hostname)) {
    return (
      'EARSHOT_PUBLIC_URL is not an https address, so the keys of devices would cross the network unencrypted. Put a ' +
      'proxy with TLS in front of the server, or allow it with EARSHOT_INSTALL_OVER_HTTP=yes; then restart the server.'
    );
  }
  if (!shipped)
    return 'The agent is not built on this server, or could not be stored. Run `npm run build` and restart it.';
  return { server: publicOrigin, agent: shipped };
}

export function describeInstallation(facts: InstallFacts | string): InstallationState {
  if (typeof facts === 'string') return { unavailableBecause: facts };
  return { installURL: `${facts.server}/install`, agentVersion: facts.agent.version };
}
