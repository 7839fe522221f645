import type { BellKind } from '@earshot/contract/bell';
import type { Db } from '../../platform/database/connect.ts';
import { findQuietTimes } from './manners-queries.ts';
import type { TellingRule } from './quiet.ts';
import { isQuietFor } from './quiet.ts';
import { countTooOld, insertEntries } from './write-queries.ts';

/** What people are told, by an outlet: rows that are written in the transaction that did what they are told of. */
export interface Told {
  readonly kind: BellKind;
  /** Each is also told by the channels that the person chose for the severity. */
  readonly people: readonly number[];
  /** Of the owner of the rule. */
  readonly channels?: readonly ToldChannel[] | undefined;
  /** Undefined: it is about several rules. */
  readonly rule: (TellingRule & { readonly ruleID: number }) | undefined;
  readonly alertID?: number | undefined;
  /** Whether messages to people have what was said. */
  readonly includesWords?: boolean | undefined;
  /** Why something was refused, or why these people are told now. */
  readonly reason?: string | undefined;
  /** For how long nobody had acknowledged the alert; undefined: told at first. */
  readonly waitedSeconds?: number | undefined;
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
    await insertEntries(
      tx,
      others.map((userID) => ({
        userID,
        kind,
        ruleID: rule?.ruleID ?? null,
        alertID: alertID ?? null,
        reason: reason ?? null,
        isQuiet: isQuietFor(userID, quietTimes.get(userID) ?? [], rule),
      })),
    );
  },
};
