import type { ComponentChildren } from 'preact';
import { Form, type Values } from '../ui/form.tsx';
import { explain, fieldProblems, plain, statusOf, waitOf } from './api.ts';

interface ApiFormProps {
  readonly submit: string;
  readonly onSend: (values: Values) => Promise<void>;
  /** Messages for error statuses, where the page has better ones than the server. */
  readonly words?: Readonly<Record<number, string>>;
  readonly onCancel?: () => void;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

/** A form that shows errors of the API at the fields that they are about. */
export function ApiForm({ words = {}, ...form }: ApiFormProps) {
  const onProblem = (error: unknown) => ({
    fields: fieldProblems(error).map(({ path, message }) => ({ path, message: plain(message) })),
    text: words[statusOf(error)] ?? explain(error),
    waitSeconds: waitOf(error),
  });
  return <Form {...form} onProblem={onProblem} />;
}
