export interface FieldProblem {
  readonly path: string;
  readonly message: string;
}

const asSentence = (text: string): string => {
  const start = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
};

export function problemAt(all: readonly FieldProblem[], path: string): string | undefined {
  const found = all.find((one) => one.path === path);
  return found && asSentence(found.message);
}

const isWithin = (inner: string, path: string): boolean =>
  inner === path || inner.startsWith(`${path}.`) || inner.startsWith(`${path}[`);

export const problemsWithin = (all: readonly FieldProblem[], path: string): readonly string[] =>
  all.filter((one) => isWithin(one.path, path)).map(({ message }) => asSentence(message));

/** With their places, where no control shows them. */
export const allProblems = (all: readonly FieldProblem[]): readonly string[] =>
  all.map(({ path, message }) => asSentence(`${path} ${message}`.trim()));

/** The parts of a rule that show what is wrong with them; all else is said above the rule. */
const shownParts = [
  'ruleName',
  'ruleDescription',
  'severity',
  'where',
  'when',
  'atLeast',
  'activeTimes',
  'forSeconds',
  'keepOpenSeconds',
  'groupSeconds',
  'mostPerHour',
  'quietedBy',
  'actions',
];

export const problemsElsewhere = (all: readonly FieldProblem[]): readonly string[] =>
  allProblems(all.filter(({ path }) => !shownParts.some((part) => isWithin(path, part))));
