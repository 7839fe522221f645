import type { ComponentChildren } from 'preact';
import { errorMessage, fieldProblems, stripMarkdown, statusOf, waitOf } from './api.ts';
import { InputProblem } from './input-problem.ts';
import type { Values } from './ui/form.tsx';
import { Form } from './ui/form.tsx';

interface ApiFormProps {
  readonly submit: string;
  readonly onSend: (values: Values) => Promise<void>;
  /** Messages for error statuses, where the page has better ones than the server. */
  readonly words?: Readonly<Record<number, string>>;
  readonly onCancel?: () => void;
  readonly wide?: boolean;
  readonly children: ComponentChildren;
}

/** A form that shows errors of the API at the fields that they are about, and what is wrong before it is sent. */
export function ApiForm({ words = {}, ...form }: ApiFormProps) {
  const onProblem = (error: unknown) => ({
    fields: fieldProblems(error).map(({ path, message }) => ({ path, message: stripMarkdown(message) })),
    text: error instanceof InputProblem ? error.message : (words[statusOf(error)] ?? errorMessage(error)),
    waitSeconds: waitOf(error),
  });
  return <Form {...form} onProblem={onProblem} />;
}
