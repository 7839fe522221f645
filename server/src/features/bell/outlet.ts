import type { BellKind } from '@earshot/contract/bell';
import type { RuleSeverity } from '@earshot/contract/rule';
import type { Db } from '../../platform/database/connect.ts';
import { isActiveAt } from '../rule/public.ts';
import { findQuietTimes } from './manners-queries.ts';
import { countTooOld, insertEntries } from './write-queries.ts';

/** What people are told, by an outlet: rows that are written in the transaction that did what they are told of. */
export interface Told {
  readonly kind: BellKind;
  readonly people: readonly number[];
  /** Of the owner of the rule. */
  readonly channels?: readonly ToldChannel[] | undefined;
  /** Undefined: it is about several rules. */
  readonly rule:
    | {
        readonly ruleID: number;
        readonly ownerID: number;
        readonly isOfAdmin: boolean;
        readonly severity: RuleSeverity;
      }
    | undefined;
  readonly alertID?: number | undefined;
  /** Why something was refused. */
  readonly reason?: string | undefined;
}

export interface ToldChannel {
  readonly channelID: number;
  readonly includesWords: boolean;
}

export interface Outlet {
  tell(tx: Db, told: Told): Promise<void>;
  /** Somebody dealt with the alerts, or none of their matches holds any more. */
  settle?(tx: Db, alerts: readonly number[]): Promise<void>;
}

/** The bell on every page. */
export const bellOutlet: Outlet = {
  async tell(tx, { kind, people, rule, alertID, reason }) {
    if (people.length === 0) return;
    const told = kind === 'tooOld' ? await countTooOld(tx, people) : [];
    const others = people.filter((userID) => !told.includes(userID));
    const quietTimes = await findQuietTimes(tx, others);
    const passes = (userID: number): boolean =>
      rule?.severity === 'critical' && (rule.isOfAdmin || rule.ownerID === userID);
    const isQuiet = (userID: number): boolean => {
      const times = quietTimes.get(userID) ?? [];
      return times.length > 0 && !passes(userID) && isActiveAt(times, Date.now(), undefined);
    };
    await insertEntries(
      tx,
      others.map((userID) => ({
        userID,
        kind,
        ruleID: rule?.ruleID ?? null,
        alertID: alertID ?? null,
        reason: reason ?? null,
        isQuiet: isQuiet(userID),
      })),
    );
  },
};
