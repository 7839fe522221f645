import type { AlertState, AlertSilence, RuleAlertDetails, RuleAlertUpdate } from '@earshot/contract/alert';
import type { RuleMatch } from '@earshot/contract/rule-match';
import { largestCount } from '@earshot/contract/values';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import type { Query } from '../../lib/query.ts';
import { refresh, reload } from '../../lib/query.ts';
import type { Tone } from '../../lib/ui/elements.tsx';

export const oneAlert = (alertID: number): Query<RuleAlertDetails> => ({
  key: `alert ${alertID}`,
  load: () => api.getRuleAlert({ params: { alertID } }),
  follow: (alert, change) => (change.event === 'alert' && change.key === alertID ? reload : alert),
});

export interface AlertMatches {
  /** The oldest first, as they were said. */
  readonly matches: readonly RuleMatch[];
  /** Whether the alert has older ones, which are not shown. */
  readonly hasMore: boolean;
}

export const matchesOf = (alertID: number): Query<AlertMatches> => ({
  key: `alert matches ${alertID}`,
  load: async () => {
    const { results, next } = await api.listRuleMatches({ body: { alertID, count: largestCount } });
    return { matches: results.toReversed(), hasMore: next !== undefined };
  },
  follow: (found, change) => {
    const { alertID: its } = (change.record ?? {}) as { readonly alertID?: number };
    return change.event === 'rulematch' && its === alertID ? reload : found;
  },
});

export const updateAlert = (alertID: number, body: RuleAlertUpdate): Promise<boolean> =>
  attempt(async () => {
    await api.updateRuleAlert({ params: { alertID }, body });
    refresh([`alert ${alertID}`]);
  });

export const alertStateTexts: Readonly<Record<AlertState, string>> = {
  open: 'Open',
  acknowledged: 'Acknowledged',
  closed: 'Closed',
};

export const stateTones: Readonly<Record<AlertState, Tone>> = { open: 'bad', acknowledged: 'warn', closed: 'idle' };

export const silenceTexts: Readonly<Record<AlertSilence, string>> = {
  muted: 'Nobody was told: the rule was muted.',
  quieted: 'Nobody was told: an alert of another rule was open, which quiets this one.',
  limit: 'Nobody was told: the rule had acted on as many alerts of this hour as it may.',
  tooOld: 'Nobody was told: the sound was too old when it was judged.',
  restored: 'Nobody was told: the installation was restored from a backup meanwhile.',
  flapping: 'Nobody was told: the state began for the fourth time within an hour.',
};
