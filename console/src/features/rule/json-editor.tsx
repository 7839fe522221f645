import { useId, useState } from 'preact/hooks';
import type { RuleDraft } from './draft.ts';

interface JsonEditorProps {
  readonly draft: RuleDraft;
  readonly onChange: (draft: RuleDraft) => void;
}

function read(text: string): RuleDraft | string {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as RuleDraft) : 'A rule is an object: { "ruleName": …, "when": … }.';
  } catch (error) {
    return `This is no JSON yet. ${error instanceof Error ? error.message : ''}`;
  }
}

/** The rule as the API has it. What it means is checked by the server, as it is typed. */
export function JsonEditor({ draft, onChange }: JsonEditorProps) {
  const [text, setText] = useState(() => JSON.stringify(draft, undefined, 2));
  const [problem, setProblem] = useState('');
  const id = useId();
  const typed = (next: string) => {
    setText(next);
    const value = read(next);
    setProblem(typeof value === 'string' ? value : '');
    if (typeof value !== 'string') onChange(value);
  };
  return (
    <div class="field">
      <label for={id}>Rule as JSON</label>
      <textarea
        id={id}
        class="input code"
        rows={Math.min(30, text.split('\n').length + 1)}
        value={text}
        spellcheck={false}
        aria-invalid={problem ? 'true' : undefined}
        aria-describedby={`${id}-problem`}
        onInput={({ currentTarget }) => typed(currentTarget.value)}
      />
      <p id={`${id}-problem`} class="problem" hidden={problem === ''}>
        {problem}
      </p>
    </div>
  );
}
