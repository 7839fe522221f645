import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { Button } from './button.tsx';

export type Values = Readonly<Record<string, string>>;

/** Errors of a form: by field, or of the whole form. */
export interface FormProblem {
  readonly fields: readonly { readonly path: string; readonly message: string }[];
  readonly text: string;
  /** Seconds until the form can be sent again. */
  readonly waitSeconds?: number;
}

interface FormProps {
  readonly children: ComponentChildren;
  readonly submit: string;
  readonly onSend: (values: Values) => Promise<void>;
  /** Converts an error to messages of this form. */
  readonly onProblem: (error: unknown) => FormProblem;
  readonly onCancel?: () => void;
  readonly wide?: boolean;
}

const FormProblems = createContext<Readonly<Record<string, string>>>({});
export const useProblem = (name: string): string | undefined => useContext(FormProblems)[name];

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;
const inputsOf = (form: HTMLFormElement): readonly Input[] =>
  [...form.elements].filter((part): part is Input => part instanceof HTMLElement && 'value' in part && 'name' in part);

const labelOf = (input: Input): string => input.labels?.[0]?.firstChild?.textContent?.trim() ?? input.name;

/** Trims text; passwords are not trimmed. */
const valueOf = (input: Input): string => {
  if (input instanceof HTMLInputElement && input.type === 'checkbox') return input.checked ? 'true' : 'false';
  return 'exact' in input.dataset ? input.value : input.value.trim();
};

export function Form({ children, submit, onSend, onProblem, onCancel, wide = false }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [alert, setAlert] = useState('');
  const [busy, setBusy] = useState(false);

  const [waitSeconds, setWaitSeconds] = useState(0);

  useEffect(() => {
    if (waitSeconds <= 0) return;
    const timer = setTimeout(() => {
      setWaitSeconds(waitSeconds - 1);
      // Announced once, at the end: a countdown would disturb screen readers.
      if (waitSeconds === 1) setAlert('You can retry now.');
    }, 1_000);
    return () => clearTimeout(timer);
  }, [waitSeconds]);

  const show = ({ fields, text, waitSeconds: wait = 0 }: FormProblem) => {
    setWaitSeconds(wait);
    const inputs = inputsOf(form.current!);
    const wrong = new Map(fields.map(({ path, message }) => [path, message]));
    const known = inputs.filter(({ name }) => wrong.has(name));
    const texts = known.map((input) => [input.name, `${labelOf(input)} ${wrong.get(input.name) ?? ''}.`]);
    setProblems(Object.fromEntries(texts) as Record<string, string>);
    setAlert(known.length === wrong.size && known.length > 0 ? '' : text);
    known[0]?.focus();
  };

  const send = async (event: Event) => {
    event.preventDefault();
    if (busy || waitSeconds > 0 || !form.current) return;
    const inputs = inputsOf(form.current).filter(({ name }) => name !== '');
    const missing = inputs.filter((input) => input.required && input.value.trim() === '');
    setProblems({});
    setAlert('');
    if (missing.length > 0) {
      return show({ fields: missing.map(({ name }) => ({ path: name, message: 'is required' })), text: '' });
    }
    setBusy(true);
    try {
      await onSend(Object.fromEntries(inputs.map((input) => [input.name, valueOf(input)])));
    } catch (error) {
      if (form.current) show(onProblem(error));
    }
    setBusy(false);
  };

  return (
    <FormProblems.Provider value={problems}>
      {/* noValidate: our own messages are shown for all fields at once, in one style. */}
      <form class="form" ref={form} noValidate onSubmit={(event) => void send(event)}>
        <p class="alert" role="alert" hidden={alert === ''}>
          {alert}
        </p>
        {children}
        <div class={wide ? 'form-end wide' : 'form-end'}>
          {onCancel && (
            <Button kind="quiet" onClick={onCancel}>
              Cancel
            </Button>
          )}
          <Button kind="primary" type="submit" busy={busy || waitSeconds > 0}>
            {waitSeconds > 0 ? `${submit} (in ${waitSeconds} s)` : submit}
          </Button>
        </div>
      </form>
    </FormProblems.Provider>
  );
}
