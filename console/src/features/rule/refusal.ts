import { fieldProblems, stripMarkdown } from '../../lib/api.ts';
import type { FieldProblem } from './field-problem.ts';

/** What the server says of a rule: in a trial, the rule is inside of the request. */
export const ruleProblems = (error: unknown): readonly FieldProblem[] =>
  fieldProblems(error).map(({ path, message }) => ({
    path: path.replace(/^rule\./, ''),
    message: stripMarkdown(message),
  }));
