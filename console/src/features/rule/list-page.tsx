import type { Rule } from '@earshot/contract/rule';
import type { RuleMatch } from '@earshot/contract/rule-match';
import { isDeferred } from '../../lib/deferred.ts';
import { useKept } from '../../lib/kept.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { useLatest, useQuery } from '../../lib/query.ts';
import { signedInUser } from '../../lib/session.ts';
import { Button, LinkButton } from '../../lib/ui/button.tsx';
import { Empty, PageHead, Section, UserText } from '../../lib/ui/elements.tsx';
import { Menu } from '../../lib/ui/menu.tsx';
import { SearchField } from '../../lib/ui/search-field.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { newestMatches, ruleRecord, rulesPerPage, someRules } from './data.ts';
import { Allowances } from './allowances.tsx';
import { ruleActions } from './mute-menu.ts';
import { useRuleNames } from './names.ts';
import { RuleState, SeverityBadge } from './rule-state.tsx';
import type { RuleNames } from '@earshot/contract/rule-sentence';
import { sentenceOf } from '@earshot/contract/rule-sentence';

export function RulesPage() {
  const [pages, setPages] = useKept('rule pages', 1);
  const rules = useLatest(someRules(pages));
  const find = currentLocation.value.query.get('find') ?? '';
  return (
    <>
      <PageHead
        title="Rules"
        under={
          <span>A rule watches what is said and heard and how devices are, and tells you or acts within seconds.</span>
        }
        actions={
          <LinkButton kind="primary" icon="add" href="/rules/new">
            New rule
          </LinkButton>
        }
      />
      <Allowances />
      <div class="toolbar">
        <SearchField label="Find a rule" value={find} onSearch={(text) => setQuery({ find: text })} />
      </div>
      <WhenLoaded from={rules}>{(list) => <RuleList rules={list} find={find} />}</WhenLoaded>
      {(rules.data?.length ?? 0) >= pages * rulesPerPage && (
        <div class="more">
          <Button onClick={() => setPages(pages + 1)}>Load older</Button>
        </div>
      )}
    </>
  );
}

function RuleList({ rules, find }: { readonly rules: readonly Rule[]; readonly find: string }) {
  const names = useRuleNames();
  const { data: newest } = useQuery(newestMatches);
  const wanted = find.toLowerCase();
  const shown = rules
    .map((rule) => ({ rule, sentence: sentenceOf(rule, names, isMine(rule)) }))
    .filter(
      ({ rule, sentence }) =>
        !isDeferred(ruleRecord(rule)) && `${rule.ruleName} ${sentence}`.toLowerCase().includes(wanted),
    );
  const rows = (wantsBuiltIn: boolean) =>
    shown
      .filter(({ rule }) => isBuiltIn(rule) === wantsBuiltIn)
      .map(({ rule, sentence }) => (
        <RuleRow key={rule.key} rule={rule} sentence={sentence} last={newest?.get(rule.key ?? 0)} names={names} />
      ));
  const written = rows(false);
  const builtIn = rows(true);
  return (
    <>
      <div class="card">
        {rules.every(isBuiltIn) ? (
          <Empty
            icon="bell"
            title="No rules yet"
            action={<LinkButton href="/rules/new">Write the first one</LinkButton>}
          >
            For example: when any device says “structure fire”, at night: tell me and lock the clip. A rule is tried on
            what is here already while you write it.
          </Empty>
        ) : written.length === 0 ? (
          <Empty icon="search" title="No rule found" />
        ) : (
          <ul class="rows">{written}</ul>
        )}
      </div>
      {builtIn.length > 0 && (
        <Section title="Built in">
          <ul class="rows">{builtIn}</ul>
        </Section>
      )}
    </>
  );
}

/** Rules of the platform itself have no owner. */
const isBuiltIn = ({ userID }: Rule): boolean => userID === undefined;
const isMine = ({ userID }: Rule): boolean => userID === signedInUser().userID;

interface RuleRowProps {
  readonly rule: Rule;
  readonly sentence: string;
  readonly last: RuleMatch | undefined;
  readonly names: RuleNames;
}

function RuleRow({ rule, sentence, last, names }: RuleRowProps) {
  return (
    <li class="row actions-below">
      <a class="row-link" href={`/rules/${rule.key}`}>
        <span class="row-main">
          <span class="row-title">
            <UserText text={rule.ruleName} />
          </span>
          <span class="rule-line">
            <UserText text={sentence} />
          </span>
          <span class="row-under">
            {!isMine(rule) && rule.userID !== undefined && (
              <span>
                of <UserText text={names.person(rule.userID)} />
              </span>
            )}
            {last?.startTime !== undefined && (
              <span>
                last match <Time date={last.startTime * 1_000} />
              </span>
            )}
          </span>
        </span>
        <span class="row-facts">
          <SeverityBadge severity={rule.severity} />
          <RuleState rule={rule} />
        </span>
      </a>
      <span class="row-actions">
        <Menu label={`More actions for ${rule.ruleName}`} items={ruleActions(rule)} />
      </span>
    </li>
  );
}
