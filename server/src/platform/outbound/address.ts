import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/** Whether the platform may connect to an IP address, as given by a URL or a DNS lookup. */
export type AddressRule = (address: string) => boolean;

/**
 * Permits public addresses and the networks that the operator allows (`10.0.0.0/8`, or one address). An address that
 * cannot be shown to be public is refused: unknown notations, zones, unassigned ranges.
 */
export function createAddressRule(allowNetworks: readonly string[]): AddressRule {
  const allowed = allowNetworks.map(parseNetwork);
  return (text) => {
    // A zone names a network interface of this machine.
    if (isIP(text) === 0 || text.includes('%')) return false;
    const address = withoutMapping(ipaddr.parse(text));
    return isPublic(address) || allowed.some((network) => contains(network, address));
  };
}

function parseNetwork(text: string): Network {
  const [name = '', prefix] = text.split('/');
  const address = ipaddr.parse(name);
  const length = prefix === undefined ? address.toByteArray().length * 8 : Number(prefix);
  const isMapped =
    address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress() && length >= mappedPrefix;
  return isMapped ? [withoutMapping(address), length - mappedPrefix] : [address, length];
}

const mappedPrefix = 96;

/** ::ffff:10.0.0.1 is another notation of 10.0.0.1, and connects over IPv4. */
const withoutMapping = (address: Address): Address =>
  address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress()
    ? (address as ipaddr.IPv6).toIPv4Address()
    : address;

const contains = ([network, length]: Network, address: Address): boolean =>
  network.kind() === address.kind() && address.match(network, length);

const isPublic = (address: Address): boolean =>
  address.kind() === 'ipv4' ? isPublicIPv4(address as ipaddr.IPv4) : isPublicIPv6(address as ipaddr.IPv6);

/** An internal service of Azure, reachable from every virtual machine there at an address that looks public. */
const azureHost = '168.63.129.16';

const isPublicIPv4 = (address: ipaddr.IPv4): boolean =>
  address.range() === 'unicast' && address.toString() !== azureHost;

const globalUnicast: Network = [ipaddr.parse('2000::'), 3];
const translated: Network = [ipaddr.parse('64:ff9b::'), 96];

/**
 * Permits global unicast addresses outside of special ranges. 6to4 and Teredo addresses embed an IPv4 address and are
 * not used by servers, so they are refused. A NAT64 address (64:ff9b::/96, the only way to IPv4 from an IPv6-only
 * network) is public if the IPv4 address in it is.
 */
function isPublicIPv6(address: ipaddr.IPv6): boolean {
  if (contains(translated, address)) return isPublicIPv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return contains(globalUnicast, address) && address.range() === 'unicast' && !isIsatap(address);
}

/** An interface identifier that embeds an IPv4 address (RFC 5214). */
function isIsatap(address: ipaddr.IPv6): boolean {
  const [, , , , high = 0, low = 0] = address.parts;
  return (high === 0 || high === 0x200) && low === 0x5efe;
}
