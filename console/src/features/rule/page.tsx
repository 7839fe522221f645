import type { Rule } from '@earshot/contract/rule';
import { isDeferred } from '../../lib/deferred.ts';
import type { PageProps } from '../../lib/lazy-page.tsx';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { signedInUser } from '../../lib/session.ts';
import { Empty, PageHead, UserText } from '../../lib/ui/elements.tsx';
import { Menu } from '../../lib/ui/menu.tsx';
import { Tabs } from '../../lib/ui/tabs.tsx';
import { oneRule, ruleRecord } from './data.ts';
import { ruleDraftOf } from './draft.ts';
import { EditPanel } from './edit-panel.tsx';
import { RuleMatches } from './matches.tsx';
import { ruleActions } from './mute-menu.ts';
import { useRuleNames } from './names.ts';
import { RuleState, SeverityBadge } from './rule-state.tsx';
import { sentenceOf } from '@earshot/contract/rule-sentence';
import { RuleVersions } from './versions.tsx';

const tabs = [
  { value: 'matches', label: 'Matches' },
  { value: 'edit', label: 'Edit' },
  { value: 'versions', label: 'Versions' },
] as const;

const ends: Readonly<Record<string, string>> = { edit: '/edit', versions: '?tab=versions' };
const addressOf = ({ key }: Rule, tab: string): string => `/rules/${key}${ends[tab] ?? ''}`;

export function RulePage({ id }: PageProps) {
  const rule = useQuery(oneRule(id));
  return <WhenLoaded from={rule}>{(data) => <RuleView key={id} rule={data} />}</WhenLoaded>;
}

function RuleView({ rule }: { readonly rule: Rule }) {
  const names = useRuleNames();
  const { path, query } = currentLocation.value;
  const tab = path.endsWith('/edit') ? 'edit' : query.get('tab') === 'versions' ? 'versions' : 'matches';
  const isMine = rule.userID === signedInUser().userID;
  const back = { href: '/rules', label: 'Rules' };
  if (isDeferred(ruleRecord(rule))) {
    return (
      <>
        <PageHead title={<UserText text={rule.ruleName} />} back={back} />
        <Empty icon="trash" title="This rule is deleted" />
      </>
    );
  }
  return (
    <>
      <PageHead
        title={<UserText text={rule.ruleName} />}
        back={back}
        actions={<Menu label="More actions for this rule" items={ruleActions(rule)} />}
        under={
          <>
            <SeverityBadge severity={rule.severity} />
            <RuleState rule={rule} />
            {!isMine && rule.userID !== undefined && (
              <span>
                of <UserText text={names.person(rule.userID)} />
              </span>
            )}
          </>
        }
      />
      <Tabs label="Parts of the rule" tabs={tabs} current={tab} href={(value) => addressOf(rule, value)} />
      {tab === 'edit' && <EditPanel rule={rule} start={ruleDraftOf(rule)} />}
      {tab === 'versions' && <RuleVersions rule={rule} />}
      {tab === 'matches' && (
        <>
          <p class="rule-sentence" dir="auto">
            {sentenceOf(rule, names, isMine)}
          </p>
          {rule.ruleDescription && (
            <p class="hint rule-description">
              <UserText text={rule.ruleDescription} />
            </p>
          )}
          <RuleMatches rule={rule} />
        </>
      )}
    </>
  );
}
