import type { RecorderGuide } from '@earshot/contract/recorder-guides';
import { CopyField } from '../../lib/ui/copy-field.tsx';

/** What to write into the settings of a recorder. */
export function RecorderSettings({ guide }: { readonly guide: RecorderGuide }) {
  return (
    <>
      <GuideText text={guide.steps} />
      {guide.configurations.map(({ label, text, isBlock = false }) => (
        <CopyField key={`${guide.id} ${label}`} label={label} text={text} multiline={isBlock} />
      ))}
      {guide.note && <GuideText isHint text={guide.note} />}
    </>
  );
}

interface GuideTextProps {
  readonly text: string;
  readonly isHint?: boolean;
}

/** A paragraph with `code`. */
export function GuideText({ text, isHint = false }: GuideTextProps) {
  const parts = text.split('`');
  return (
    <p class={isHint ? 'hint' : undefined}>
      {parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}
    </p>
  );
}
