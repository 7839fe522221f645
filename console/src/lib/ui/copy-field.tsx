import { useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';

interface CopyFieldProps {
  readonly label: string;
  readonly text: string;
  readonly multiline?: boolean;
}

/** Text with a copy button. Where the browser does not allow copying (plain HTTP), the text is selected instead. */
export function CopyField({ label, text, multiline = false }: CopyFieldProps) {
  const code = useRef<HTMLElement>(null);
  const [status, setStatus] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setStatus('Copied');
    } catch {
      if (code.current) getSelection()?.selectAllChildren(code.current);
      setStatus('Press Ctrl+C');
    }
    setTimeout(() => setStatus(''), 2_500);
  };
  return (
    <div class={multiline ? 'copy multiline' : 'copy'}>
      <div class="copy-head">
        <p class="copy-label">{label}</p>
        <Button
          small
          kind="quiet"
          icon={status === 'Copied' ? 'check' : 'copy'}
          label={`Copy: ${label}`}
          onClick={() => void copy()}
        >
          {status || 'Copy'}
        </Button>
      </div>
      <pre role="group" tabIndex={0} aria-label={label}>
        <code ref={code}>{text}</code>
      </pre>
      <span class="unseen" role="status">
        {status}
      </span>
    </div>
  );
}
