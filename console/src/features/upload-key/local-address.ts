/** Whether an address works on this computer only. */
export const isLocalAddress = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
