import type { Rule, RuleVersion } from '@earshot/contract/rule';
import { mostRules } from '@earshot/contract/rule';
import type { RuleMatch, RuleMatchFilter, RuleMatchPage } from '@earshot/contract/rule-match';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { deferAction } from '../../lib/deferred.ts';
import type { Query } from '../../lib/query.ts';
import { refresh } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';

/** As many as a person can have; an admin, who sees the rules of everybody, loads more. */
export const rulesPerPage = mostRules;

export const someRules = (pages: number): Query<readonly Rule[]> => ({
  key: `rules ${pages}`,
  load: async () => {
    const found: Rule[] = [];
    while (found.length < pages * rulesPerPage) {
      const before = found.at(-1)?.key;
      const query = { count: rulesPerPage, ...(before === undefined ? {} : { beforeRuleID: before }) };
      const more = await api.listRules({ query });
      found.push(...more);
      if (more.length < rulesPerPage) break;
    }
    return found;
  },
});

export const allRules: Query<readonly Rule[]> = someRules(1);

export const oneRule = (ruleID: number): Query<Rule> => ({
  key: `rule ${ruleID}`,
  load: () => api.getRule({ params: { ruleID } }),
});

export const ruleVersionsOf = (ruleID: number): Query<readonly RuleVersion[]> => ({
  key: `rule versions ${ruleID}`,
  load: () => api.listRuleHistory({ params: { ruleID } }),
});

const newestCount = 200;

/** The newest matches of all rules in one request: a rule whose last match is older has none here. */
export const newestMatches: Query<ReadonlyMap<number, RuleMatch>> = {
  key: 'rule matches newest',
  load: async () => {
    const { results } = await api.listRuleMatches({ body: { state: 'current', count: newestCount } });
    return new Map(results.toReversed().map((match) => [match.ruleID ?? 0, match]));
  },
};

export const matchPage = (filter: RuleMatchFilter): Promise<RuleMatchPage> => api.listRuleMatches({ body: filter });

export const refreshRules = (): void => refresh(['rule']);

export async function setMuted(rule: Rule, until: Date | undefined): Promise<void> {
  const body = until ? { until: until.toISOString() } : {};
  const isDone = await attempt(() => api.muteRule({ params: { ruleID: rule.key ?? 0 }, body }));
  if (!isDone) return;
  showToast(until ? 'Muted: matches are recorded, nobody is told.' : 'The rule is not muted any more.');
  refreshRules();
}

export async function enableRule(rule: Rule, isEnabled: boolean): Promise<void> {
  const body = { version: rule.version ?? 0, isEnabled };
  if (!(await attempt(() => api.updateRule({ params: { ruleID: rule.key ?? 0 }, body })))) return refreshRules();
  showToast(isEnabled ? 'The rule is on.' : 'The rule is off.');
  refreshRules();
}

export const ruleRecord = (rule: Rule): string => `rule ${rule.key}`;

export function askToDeleteRule(rule: Rule): void {
  deferAction(ruleRecord(rule), `“${rule.ruleName}” is deleted.`, async () => {
    await api.deleteRule({ params: { ruleID: rule.key ?? 0 } });
    refreshRules();
  });
}
