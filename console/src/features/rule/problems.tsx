import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { FieldProblem } from './field-problem.ts';
import { problemAt, problemsWithin } from './field-problem.ts';

/** What the server says of the draft, by place. */
export const RuleProblems = createContext<readonly FieldProblem[]>([]);

/** The entry that was just added, which takes the focus when it is shown. */
export const FreshEntry = createContext<{ current: object | undefined }>({ current: undefined });

const idOf = (path: string): string => `problem-${path.replaceAll(/[^\w]+/g, '-')}`;

/** Attributes of the control of a place. */
export function useInvalid(path: string) {
  const isWrong = problemAt(useContext(RuleProblems), path) !== undefined;
  return { 'aria-invalid': isWrong ? ('true' as const) : undefined, 'aria-describedby': idOf(path) };
}

interface ProblemProps {
  readonly path: string;
  /** Also of the places within it, which have no control of their own. */
  readonly isDeep?: boolean;
}

/** What is wrong at a place, beside its control. */
export function RuleProblem({ path, isDeep = false }: ProblemProps) {
  const all = useContext(RuleProblems);
  const found = isDeep ? problemsWithin(all, path) : [problemAt(all, path)].filter((text) => text !== undefined);
  return (
    <span id={idOf(path)} class="problem rule-problem" hidden={found.length === 0}>
      {found.join(' ')}
    </span>
  );
}
