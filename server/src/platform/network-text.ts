import { BlockList, isIP } from 'node:net';

/** Whether the text is an address, or a network such as 10.0.0.0/8. */
export function isNetworkText(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  try {
    if (prefix !== undefined && !/^\d{1,3}$/.test(prefix)) return false;
    new BlockList().addSubnet(address, Number(prefix ?? 0), family === 4 ? 'ipv4' : 'ipv6');
    return true;
  } catch {
    return false;
  }
}
