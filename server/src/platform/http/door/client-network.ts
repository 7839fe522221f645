import ipaddr from 'ipaddr.js';

/**
 * The key under which requests of an address are counted: an IPv4 address, or the /64 network of an IPv6 address,
 * because every customer has at least a /64 and can use any address in it. A text that is not an IP address is returned
 * unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  // Behind NAT64 every IPv4 client is in one /64, so there the whole address counts.
  if (parsed.range() === 'rfc6052') return new ipaddr.IPv6(parsed.parts).toString();
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]).toString()}/64`;
}
