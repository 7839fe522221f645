import { platformHeader } from '@earshot/contract/platform-mark';

/** What the responses of the platform tell about the connection. */
export interface PlatformContact {
  lastReached(): { readonly at: Date } | undefined;
  /** How far the clock of this device is ahead; undefined until it is known. */
  clockErrorMs(): number | undefined;
}

/** The header `Date` has whole seconds. */
const halfSecondMs = 500;

/** Notes when the platform responded, and its time. A response without its mark may be that of a portal. */
export function watchContact(send: typeof fetch): PlatformContact & { readonly fetch: typeof fetch } {
  let reachedMs: number | undefined;
  let errorMs: number | undefined;
  return {
    async fetch(address, init) {
      const response = await send(address, init);
      if (response.headers.get(platformHeader) === null) return response;
      reachedMs = Date.now();
      // A long poll is answered at its end, so only the moment of the response counts.
      const platformMs = Date.parse(response.headers.get('date') ?? '') + halfSecondMs;
      if (!Number.isNaN(platformMs)) errorMs = reachedMs - platformMs;
      return response;
    },
    lastReached: () => (reachedMs === undefined ? undefined : { at: new Date(reachedMs) }),
    clockErrorMs: () => errorMs,
  };
}
