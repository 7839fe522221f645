import { useRef, useState } from 'preact/hooks';
import { Choice } from '../../lib/ui/tabs.tsx';
import { ActionsPart } from './actions-part.tsx';
import type { RuleDraft } from './draft.ts';
import { canShow, withWhen } from './draft.ts';
import type { FieldProblem } from './field-problem.ts';
import { allProblems, problemsElsewhere } from './field-problem.ts';
import { JsonEditor } from './json-editor.tsx';
import { LastingPart } from './lasting-part.tsx';
import { MorePart, NamePart } from './more-part.tsx';
import { useRuleNames } from './names.ts';
import { OftenPart } from './often-part.tsx';
import { FreshEntry, RuleProblems } from './problems.tsx';
import { sentenceOf } from '@earshot/contract/rule-sentence';
import { TimesPart } from './times-part.tsx';
import { WhenPart } from './when-part.tsx';
import { WherePart } from './where-part.tsx';

interface EditorProps {
  readonly draft: RuleDraft;
  readonly problems: readonly FieldProblem[];
  readonly ruleID: number | undefined;
  readonly ownerID: number | undefined;
  readonly isMine: boolean;
  readonly onChange: (draft: RuleDraft) => void;
}

type Mode = 'sentence' | 'json';
const modes: readonly { readonly value: Mode; readonly label: string }[] = [
  { value: 'sentence', label: 'Sentence' },
  { value: 'json', label: 'JSON' },
];

/** A rule as a sentence whose parts are controls; or as JSON. */
export function RuleEditor({ draft, problems, onChange, ...of }: EditorProps) {
  const [mode, setMode] = useState<Mode>('sentence');
  const fresh = useRef<object | undefined>(undefined);
  const isShowable = canShow(draft);
  const isJson = mode === 'json' || !isShowable;
  const above = isJson ? allProblems(problems) : problemsElsewhere(problems);
  return (
    <RuleProblems.Provider value={problems}>
      <FreshEntry.Provider value={fresh}>
        <div class="card padded rule-editor">
          {above.length > 0 && (
            <p class="alert" role="alert">
              {above.join(' ')}
            </p>
          )}
          {isJson ? (
            <>
              {!isShowable && (
                <p class="hint" role="note">
                  This rule has parts that the sentence cannot show, so it is shown as JSON. It works as it is.
                </p>
              )}
              <JsonEditor draft={draft} onChange={onChange} />
            </>
          ) : (
            <SentenceEditor draft={draft} {...of} onChange={onChange} />
          )}
          {isShowable && <Choice label="Edit as" options={modes} value={mode} onChange={setMode} />}
        </div>
      </FreshEntry.Provider>
    </RuleProblems.Provider>
  );
}

function SentenceEditor({ draft, ruleID, ownerID, isMine, onChange }: Omit<EditorProps, 'problems'>) {
  const names = useRuleNames();
  const change = (changes: Partial<RuleDraft>) => onChange({ ...draft, ...changes });
  /** A part that is not there is left out. */
  const set = (part: 'where' | 'atLeast', value: RuleDraft[typeof part]) => {
    const { [part]: _former, ...others } = draft;
    onChange(value === undefined ? others : { ...others, [part]: value });
  };
  return (
    <>
      <NamePart draft={draft} onChange={change} />
      <p class="rule-sentence" dir="auto">
        {sentenceOf(draft, names, isMine)}
      </p>
      <div class="rule-parts">
        <WherePart where={draft.where} names={names} onChange={(where) => set('where', where)} />
        <WhenPart when={draft.when} onChange={(when) => onChange(withWhen(draft, when))} />
        {draft.when.state ? (
          <LastingPart draft={draft} onChange={change} />
        ) : (
          <OftenPart atLeast={draft.atLeast} onChange={(atLeast) => set('atLeast', atLeast)} />
        )}
        <TimesPart times={draft.activeTimes ?? []} onChange={(activeTimes) => change({ activeTimes })} />
        <ActionsPart
          actions={draft.actions ?? []}
          names={names}
          isOfState={draft.when.state !== undefined}
          owner={isMine ? 'me' : 'its owner'}
          onChange={(actions) => change({ actions })}
        />
      </div>
      <MorePart draft={draft} ruleID={ruleID} ownerID={ownerID} onChange={change} />
    </>
  );
}
