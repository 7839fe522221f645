import type { ComponentChildren } from 'preact';
import { Form, type Values } from '../ui/form.tsx';
import { explain, fieldProblems, plain, statusOf, waitOf } from './api.ts';

interface ApiFormProps {
  readonly submit: string;
  readonly onSend: (values: Values) => Promise<void>;
  /** Better words for a refusal, by its status, where the page has them. */
  readonly words?: Readonly<Record<number, string>>;
  readonly onCancel?: () => void;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

/** A form whose problems are the API's: at the field that they are about. */
export function ApiForm({ words = {}, ...form }: ApiFormProps) {
  const onProblem = (error: unknown) => ({
    fields: fieldProblems(error).map(({ path, message }) => ({ path, message: plain(message) })),
    text: words[statusOf(error)] ?? explain(error),
    waitSeconds: waitOf(error),
  });
  return <Form {...form} onProblem={onProblem} />;
}
