import type { Rule } from '@earshot/contract/rule';
import { useState } from 'preact/hooks';
import { api, errorMessage, statusOf } from '../../lib/api.ts';
import { LeaveDialog } from '../../lib/leave-dialog.tsx';
import { hasUnsaved } from '../../lib/leaving.ts';
import { navigate } from '../../lib/location.ts';
import { signedInUser } from '../../lib/session.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { oneRule, refreshRules } from './data.ts';
import type { RuleDraft } from './draft.ts';
import { ruleDraftOf, updateOf } from './draft.ts';
import { RuleEditor } from './editor.tsx';
import type { FieldProblem } from './field-problem.ts';
import { ruleProblems } from './refusal.ts';
import { useRuleNames } from './names.ts';
import { useTrial } from './trial.ts';
import { TrialPanel } from './trial-panel.tsx';

interface EditPanelProps {
  /** Missing: a new rule. */
  readonly rule?: Rule;
  readonly start: RuleDraft;
}

const changedByOthers = 412;

/** The rule as a sentence, and beside it what it would have found. */
export function EditPanel({ rule, start }: EditPanelProps) {
  const [draft, setDraft] = useState(start);
  const [saved, setSaved] = useState(JSON.stringify(start));
  const [version, setVersion] = useState(rule?.version);
  const [refused, setRefused] = useState<readonly FieldProblem[]>([]);
  const [failure, setFailure] = useState('');
  const [isSaving, setSaving] = useState(false);
  const trial = useTrial(draft);
  const names = useRuleNames();
  const me = signedInUser().userID;
  const ownerID = rule ? rule.userID : me;
  const text = JSON.stringify(draft);
  const isUnsaved = text !== saved;
  const problems = refused.length > 0 ? refused : trial.state.is === 'wrong' ? trial.state.problems : [];

  const change = (next: RuleDraft) => {
    setDraft(next);
    setRefused([]);
    setFailure('');
  };
  const save = async () => {
    setSaving(true);
    try {
      const stored = await store(draft, rule?.key, version);
      setSaved(text);
      setVersion(stored.version);
      refreshRules();
      showToast(rule ? 'The rule is saved.' : 'The rule is saved. It watches from now on.');
      // Asked only when the component is rendered next.
      hasUnsaved.value = false;
      if (!rule) navigate(`/rules/${stored.key}`, 'replace');
    } catch (error) {
      setRefused(ruleProblems(error));
      setFailure(failureOf(error));
    }
    setSaving(false);
  };
  const loadAgain = async () => {
    const now = await oneRule(rule?.key ?? 0).load(new AbortController().signal);
    const next = ruleDraftOf(now);
    setVersion(now.version);
    setSaved(JSON.stringify(next));
    change(next);
    refreshRules();
  };

  return (
    <div class="rule-columns">
      <form
        class="rule-form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSaving) void save();
        }}
      >
        <RuleEditor
          draft={draft}
          problems={problems}
          ruleID={rule?.key}
          ownerID={ownerID}
          isMine={ownerID === me}
          onChange={change}
        />
        <p class="alert" role="alert" hidden={failure === ''}>
          {failure}
        </p>
        <div class="rule-save">
          {failure === changedText && (
            <Button kind="quiet" onClick={() => void loadAgain()}>
              Show the present version
            </Button>
          )}
          {rule && isUnsaved && (
            <Button kind="quiet" onClick={() => change(JSON.parse(saved) as RuleDraft)}>
              Undo changes
            </Button>
          )}
          <Button kind="primary" type="submit" busy={isSaving}>
            {rule ? 'Save' : 'Save and watch'}
          </Button>
        </div>
      </form>
      <TrialPanel draft={draft} trial={trial} names={names} />
      <LeaveDialog isUnsaved={isUnsaved}>The rule is not saved. If you leave, your changes are lost.</LeaveDialog>
    </div>
  );
}

const store = (draft: RuleDraft, ruleID: number | undefined, version: number | undefined): Promise<Rule> =>
  ruleID === undefined
    ? api.createRule({ body: draft })
    : api.updateRule({ params: { ruleID }, body: updateOf(draft, version ?? 0) });

const changedText =
  'The rule was changed meanwhile, in another window or by an admin. Show the present version, then make your changes again.';

function failureOf(error: unknown): string {
  if (statusOf(error) === changedByOthers) return changedText;
  return ruleProblems(error).length > 0
    ? 'The rule is not saved. What is wrong is written at its place.'
    : errorMessage(error);
}
