import { Refusal } from '../../errors.ts';
import { networkOf } from '../http/door/client-network.ts';

/*
 * Limits what callers can send before their key is known: the key may follow the sound, so the sound has to be kept
 * until then.
 */
const mostRequestBytes = 64 * 1_048_576;
const mostBytes = 1024 * 1_048_576;
const mostPerAddress = 32;

export interface UnknownBytes {
  /** Throws 429 if the address has too many such requests. */
  enter(address: string): UnknownRequest;
}

export interface UnknownRequest {
  /** Throws if the request, or all such requests together, have sent too much. */
  add(bytes: number): void;
  /** The key is known, or the request has ended. */
  leave(): void;
}

export function createUnknownBytes(): UnknownBytes {
  const requests = new Map<string, number>();
  let total = 0;
  return {
    enter(address) {
      const network = networkOf(address);
      const count = requests.get(network) ?? 0;
      if (count >= mostPerAddress) {
        const detail = `At most ${mostPerAddress} uploads may be sent at once from one address before their keys.`;
        throw new Refusal('tooMany', detail, { headers: { 'retry-after': '5' } });
      }
      requests.set(network, count + 1);
      let own = 0;
      let isInside = true;
      return {
        add(bytes) {
          if (!isInside) return;
          own += bytes;
          total += bytes;
          if (own > mostRequestBytes) {
            throw new Refusal(
              'tooLarge',
              `Send the key before the sound if it has more than ${mostRequestBytes} bytes.`,
            );
          }
          if (total > mostBytes) {
            throw new Refusal('unavailable', 'Too many uploads are in progress; retry in a few seconds.', {
              headers: { 'retry-after': '5' },
            });
          }
        },
        leave() {
          if (!isInside) return;
          isInside = false;
          total -= own;
          const left = (requests.get(network) ?? 1) - 1;
          if (left > 0) requests.set(network, left);
          else requests.delete(network);
        },
      };
    },
  };
}
