import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '../../errors.ts';

export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

// The first recommendation of OWASP for Argon2id; about 36 ms.
const usualCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/**
 * Hashing is the most expensive work that an unknown caller can request, so few run at once, some wait, the rest is
 * refused.
 */
const mostAtOnce = 2;
const longestQueue = 64;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes equally long without a hash, so that the response time does not reveal whether a user exists. */
  matches(password: string, passwordHash: string | undefined, line?: Line): Promise<boolean>;
}

/** Known users are served first: they never wait for the queue of unknown callers. */
type Line = 'known' | 'stranger';

export async function createPasswords(cost = usualCost): Promise<Passwords> {
  const nobody = await hash('nobody has this password', cost);
  const inTurn = createGate();
  return {
    hash: (password) => inTurn('known', () => hash(password, cost)),
    matches: (password, passwordHash, line = 'known') =>
      inTurn(line, async () => (await verify(passwordHash ?? nobody, password)) && passwordHash !== undefined),
  };
}

function createGate(): <Result>(kind: Line, work: () => Promise<Result>) => Promise<Result> {
  const lines: Record<Line, (() => void)[]> = { known: [], stranger: [] };
  let active = 0;
  return async (kind, work) => {
    const line = lines[kind];
    if (active < mostAtOnce) active += 1;
    else {
      if (line.length >= longestQueue) {
        throw new Refusal('unavailable', 'Too many people are signing in at the same time. Retry in 2 seconds.', {
          headers: { 'retry-after': '2' },
        });
      }
      await new Promise<void>((resolve) => line.push(resolve));
    }
    try {
      return await work();
    } finally {
      // The slot is passed to the queue, so that a new caller cannot overtake it.
      const next = lines.known.shift() ?? lines.stranger.shift();
      if (next) next();
      else active -= 1;
    }
  };
}
