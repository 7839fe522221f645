import type { RuleDraft } from './draft.ts';
import { NumberInput, SentencePart } from './part.tsx';
import { RuleProblem, useInvalid } from './problems.tsx';

interface LastingPartProps {
  readonly draft: RuleDraft;
  readonly onChange: (changes: Partial<RuleDraft>) => void;
}

const minuteSeconds = 60;

/** "for another 5 minutes, over when gone for 2 minutes": of rules about states. */
export function LastingPart(props: LastingPartProps) {
  return (
    <SentencePart word="how long" label="How long">
      <Minutes {...props} part="forSeconds" word="for another" label="Minutes that it must last" />
      <Minutes {...props} part="keepOpenSeconds" word="over when gone for" label="Minutes that it must be gone" />
    </SentencePart>
  );
}

interface MinutesProps extends LastingPartProps {
  readonly part: 'forSeconds' | 'keepOpenSeconds';
  readonly word: string;
  readonly label: string;
}

function Minutes({ draft, onChange, part, word, label }: MinutesProps) {
  return (
    <span class="rule-bound">
      <span class="rule-word">{word}</span>
      <NumberInput
        label={label}
        value={(draft[part] ?? 0) / minuteSeconds}
        min={0}
        step="any"
        wiring={useInvalid(part)}
        onChange={(value) => onChange({ [part]: Math.round((value ?? 0) * minuteSeconds) })}
      />
      <span class="rule-word">minutes</span>
      <RuleProblem path={part} />
    </span>
  );
}
