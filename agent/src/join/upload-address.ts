import { lookup as lookUp } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { BlockList, isIP } from 'node:net';
import { EventFailure } from '../work.ts';

/*
 * Where the agent may send joined sound. An event names the address, and everybody who may enqueue events for the device
 * can do that: without a rule, the device would be a way into the network that it stands in.
 */

type Networks = readonly string[];

/** IPv4 that is not public: this network, private, shared, loopback, link-local, special, multicast, reserved. */
const special4: Networks =
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24
  192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32`.split(/\s+/);
const public6: Networks = ['2000::/3'];
const special6: Networks = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
/** IPv4 as an IPv6-only network writes it; the last 32 bits are the address. */
const translated6: Networks = ['64:ff9b::/96'];
const privateNetworks: Networks = ['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'];

export function isNetwork(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    rest.length === 0 && most > 0 && (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most))
  );
}

function listOf(networks: Networks): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(address, Number(prefix ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return (address) => list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

const [isSpecial4, isPublic6, isSpecial6, isTranslated] = [special4, public6, special6, translated6].map(listOf) as [
  (address: string) => boolean,
  (address: string) => boolean,
  (address: string) => boolean,
  (address: string) => boolean,
];

function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !isSpecial4(address);
  if (isTranslated(address)) return !isSpecial4(readIPv4(address));
  return isPublic6(address) && !isSpecial6(address);
}

/** The last 32 bits of an IPv6 address. */
function readIPv4(address: string): string {
  const [high = 0, low = 0] = address
    .split(':')
    .slice(-2)
    .map((group) => parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

export interface UploadAddresses {
  /** Throws an EventFailure if the address may not be called now. */
  readonly require: (url: string) => Promise<void>;
  /** For the connection: a name may lead to another address than before. Undefined for the platform itself. */
  readonly lookupFor: (url: string) => LookupFunction | undefined;
}

const refusal = () =>
  new EventFailure(
    'The address of uploadURL is not public. To allow it, add its network to allowNetworks in the configuration of the agent.',
  );

/**
 * `allowed` is undefined in a configuration that was written before the setting existed: private networks are permitted as
 * they were then.
 */
export function createUploadAddresses(
  server: string,
  allowed: Networks | undefined,
  resolve: typeof lookUp = lookUp,
): UploadAddresses {
  const isAllowed = listOf(allowed ?? privateNetworks);
  const mayCall = (address: string) => isIP(address) !== 0 && (isPublic(address) || isAllowed(address));
  const isPlatform = (url: URL) => url.origin === new URL(server).origin;
  const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1');

  const lookup: LookupFunction = (hostname, options, done) =>
    resolve(hostname, { all: true }, (error, found) => {
      if (error) return done(error, []);
      if (found.length === 0 || !found.every(({ address }) => mayCall(address))) return done(refusal(), []);
      const [first] = found;
      return options.all ? done(null, found) : done(null, first!.address, first!.family);
    });
  return {
    async require(text) {
      const url = new URL(text);
      const host = hostOf(url);
      if (isPlatform(url)) return;
      if (isIP(host) !== 0) {
        if (!mayCall(host)) throw refusal();
        return;
      }
      await new Promise<void>((done, fail) =>
        // A lookup that fails now may succeed when the sound is sent.
        lookup(host, { all: true }, (error) => (error instanceof EventFailure ? fail(error) : done())),
      );
    },
    lookupFor: (text) => (isPlatform(new URL(text)) ? undefined : lookup),
  };
}

/** For the log and the health report, while the configuration lacks the setting. */
export const openNetworksWarning =
  'The configuration of the agent has no allowNetworks, so events may have joined sound sent to addresses in private networks. ' +
  'Set it to [] to refuse them, or to the networks of your receivers.';
