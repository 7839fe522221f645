import type { RuleAllowance } from '@earshot/contract/rule-allowance';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import type { Query } from '../../lib/query.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Section, UserText } from '../../lib/ui/elements.tsx';
import { may } from '../right/public.ts';
import { readableName } from '../event/public.ts';
import { useRuleNames } from './names.ts';
import type { RuleNames } from '@earshot/contract/rule-sentence';
import { allowRuleAction, disallowRuleAction } from '@earshot/contract/rule-allowance';

const allowances: Query<readonly RuleAllowance[]> = {
  key: 'rule allowances',
  load: () => api.listRuleAllowances(),
};

/** Presets that rules may run only after an admin has allowed exactly that. Their owners see that they wait. */
export function Allowances() {
  const { data = [] } = useQuery(allowances);
  const names = useRuleNames();
  const waiting = data.filter(({ state }) => state !== 'allowed');
  const allowed = data.filter(({ state }) => state === 'allowed');
  if (data.length === 0) return null;
  const rows = (list: readonly RuleAllowance[]) => (
    <ul class="rows">
      {list.map((allowance) => (
        <AllowanceRow key={`${allowance.ruleID} ${allowance.position}`} allowance={allowance} names={names} />
      ))}
    </ul>
  );
  return (
    <div class="rule-allowances">
      {waiting.length > 0 && (
        <Section
          title={may(allowRuleAction) ? 'Actions that wait for you' : 'Actions that an admin must allow'}
          count={waiting.length}
        >
          {rows(waiting)}
        </Section>
      )}
      {allowed.length > 0 && may(disallowRuleAction) && (
        <details class="acknowledged">
          <summary>Allowed actions ({allowed.length})</summary>
          <div class="card">{rows(allowed)}</div>
        </details>
      )}
    </div>
  );
}

interface AllowanceRowProps {
  readonly allowance: RuleAllowance;
  readonly names: RuleNames;
}

function AllowanceRow({ allowance, names }: AllowanceRowProps) {
  const { ruleID = 0, ruleName, userID, version, position = 0, contentHash = '', state } = allowance;
  const { eventPresetName, eventType, eventParameters, deviceIDs = [], on = 'device' } = allowance;
  const params = { ruleID };
  const change = async (act: () => Promise<unknown>, text: string) => {
    if (await attempt(act)) showToast(text);
    refresh(['rule allowances']);
  };
  const allow = () =>
    change(
      () => api.allowRuleAction({ params, body: { position, version: version ?? 0, contentHash } }),
      'Allowed, until the rule or the preset is changed.',
    );
  const disallow = () =>
    change(() => api.disallowRuleAction({ params, query: { position } }), 'It is not allowed any more.');
  const where =
    on === 'named'
      ? deviceIDs.map(names.device).join(', ')
      : on === 'device'
        ? 'the device of the clip'
        : 'the nearest devices';
  return (
    <li class="row actions-below">
      <div class="row-body">
        <span class="row-main">
          <span class="row-title">
            <UserText text={eventPresetName || readableName(eventType)} /> on <UserText text={where} />
          </span>
          <span class="row-under">
            <a href={`/rules/${ruleID}`}>
              <UserText text={ruleName} />
            </a>
            {userID !== undefined && (
              <span>
                of <UserText text={names.person(userID)} />
              </span>
            )}
            <span>{readableName(eventType)}</span>
            {state === 'changed' && <strong>changed since it was allowed</strong>}
          </span>
          {eventParameters && (
            <span class="row-under">
              <code>{eventParameters}</code>
            </span>
          )}
        </span>
      </div>
      {may(allowRuleAction) && (
        <span class="row-actions">
          {state === 'allowed' ? (
            <Button small label={`Take back: ${eventPresetName} of ${ruleName}`} onClick={() => void disallow()}>
              Take back
            </Button>
          ) : (
            <Button small icon="check" label={`Allow: ${eventPresetName} of ${ruleName}`} onClick={() => void allow()}>
              Allow
            </Button>
          )}
        </span>
      )}
    </li>
  );
}
