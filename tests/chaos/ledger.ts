import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '@earshot/client/api-error';

/** What clients know of one kind of write, by names that they gave. */
export interface Ledger {
  /** The key that the platform answered with. */
  readonly acknowledged: Map<string, number>;
  /** No answer, or 503: done or not. Such a write is not repeated where a second one would double something. */
  readonly unanswered: Set<string>;
}

export const ledgerNames = ['event', 'upload', 'patch', 'correction', 'item', 'join'] as const;
export type LedgerName = (typeof ledgerNames)[number];

export interface Accounts {
  readonly ledgers: Readonly<Record<LedgerName, Ledger>>;
  /** Answers that must not occur, whatever fails. */
  readonly wrongAnswers: string[];
  /** Writes once. */
  once(ledger: LedgerName, name: string, write: () => Promise<number | undefined>): Promise<number | undefined>;
  /** Repeats a write that may be repeated until it is acknowledged. */
  until<Answer>(write: () => Promise<Answer>): Promise<Answer | undefined>;
}

const pauseMs = 300;
/** The platform cannot serve the request now. */
const later = 503;

export function openAccounts(): Accounts {
  const ledgers = Object.fromEntries(
    ledgerNames.map((name): [string, Ledger] => [name, { acknowledged: new Map(), unanswered: new Set() }]),
  ) as Readonly<Record<LedgerName, Ledger>>;
  const wrongAnswers: string[] = [];
  /** Whether the write may have been done, and may come again. */
  const isUncertain = (error: unknown): boolean => {
    if (!(error instanceof ApiError)) return true;
    if (error.status === later) return true;
    wrongAnswers.push(`${error.status} ${error.message}`);
    return false;
  };
  return {
    ledgers,
    wrongAnswers,
    async once(ledger, name, write) {
      const { acknowledged, unanswered } = ledgers[ledger];
      try {
        const key = await write();
        acknowledged.set(name, key ?? 0);
        return key;
      } catch (error) {
        if (isUncertain(error)) unanswered.add(name);
        await sleep(pauseMs);
        return undefined;
      }
    },
    async until(write) {
      for (;;) {
        try {
          return await write();
        } catch (error) {
          if (!isUncertain(error)) return undefined;
          await sleep(pauseMs);
        }
      }
    },
  };
}
