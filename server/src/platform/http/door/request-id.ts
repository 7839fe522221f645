import { randomBytes } from 'node:crypto';

/** Uses the id from the caller or a proxy if it is safe to log; otherwise generates one. */
export function createRequestIds(): (given: string | string[] | undefined) => string {
  const prefix = randomBytes(6).toString('hex');
  let count = 0;
  return (given) => {
    if (typeof given === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(given)) return given;
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
