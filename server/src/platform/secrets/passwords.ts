import { hash, verify } from '@node-rs/argon2';
import { Refusal } from '../../errors.ts';

export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
  readonly parallelism: number;
}

// OWASP's first choice for Argon2id, about 36 ms here.
const usualCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hashing is the dearest thing a stranger can ask for: a few at once, a short line behind, then "later". */
const mostAtOnce = 2;
const longestLine = 64;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long without a hash, so that an unknown person cannot be told by the time. */
  matches(password: string, passwordHash: string | undefined, line?: Line): Promise<boolean>;
}

/** Known people are served first: however many strangers wait, they wait for nobody but each other. */
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
      if (line.length >= longestLine) {
        throw new Refusal('unavailable', 'Too many people are signing in just now. Try again in 2 s.', {
          headers: { 'retry-after': '2' },
        });
      }
      await new Promise<void>((resolve) => line.push(resolve));
    }
    try {
      return await work();
    } finally {
      // The place is handed on, so that nobody newly come can slip in before the line.
      const next = lines.known.shift() ?? lines.stranger.shift();
      if (next) next();
      else active -= 1;
    }
  };
}
