import { markdownTable } from './markdown-table.ts';

/*
 * What all benches have in common: two sizes, goals, and the same last lines. `--small` runs the small size, which takes
 * seconds and shows that the bench works (small-size.long.test.ts). Its figures say nothing about most goals, so only goals
 * that hold in any size are judged there.
 */

export type Goal = ({ readonly atMost: number } | { readonly atLeast: number }) & {
  readonly unit?: string;
  /** Whether the figure of the small size is judged too. */
  readonly inAnySize?: boolean;
};

export interface BenchDeclaration<Name extends string, Size> {
  readonly name: string;
  /** By what is measured. */
  readonly goals: Readonly<Record<Name, Goal>>;
  readonly sizes: { readonly usual: Size; readonly small: Size };
}

export interface Bench<Name extends string, Size> {
  readonly size: Size;
  say(line: string): void;
  /** Notes a figure of a goal. A goal may have several figures: `of` tells them apart. */
  judge(goal: Name, figure: number, more?: { readonly of?: string; readonly details?: string }): void;
  /** Prints which goals are met. If one is missed, the process ends with exit code 1. */
  end(): void;
}

/** For benches with options of their own: `parseArgs` refuses options that it does not know. */
export const smallOption = { small: { type: 'boolean' } } as const;

/** The part of `process` that a bench uses. */
export interface BenchProcess {
  readonly argv: readonly string[];
  readonly stdout: { write(text: string): unknown };
  exitCode?: number | string | null | undefined;
}

type Verdict = 'met' | 'missed' | 'not judged' | 'not measured';

interface Judged {
  readonly title: string;
  readonly limit: string;
  readonly figure: string;
  readonly verdict: Verdict;
}

export function openBench<Name extends string, Size>(
  { name, goals, sizes }: BenchDeclaration<Name, Size>,
  run: BenchProcess = process,
): Bench<Name, Size> {
  const isSmall = run.argv.includes('--small');
  const judged: Judged[] = [];
  const unmeasured = new Set(Object.keys(goals) as Name[]);
  const say = (line: string): void => void run.stdout.write(`bench/${name}  ${line}\n`);
  return {
    size: isSmall ? sizes.small : sizes.usual,
    say,
    judge(goalName, figure, { of, details } = {}) {
      const goal = goals[goalName];
      unmeasured.delete(goalName);
      const title = of === undefined ? goalName : `${goalName}: ${of}`;
      const [limit, shown] = [limitOf(goal), figureOf(goal, figure)];
      say(`${title}  ${shown} (goal ${limit})${details === undefined ? '' : `  ${details}`}`);
      judged.push({ title, limit, figure: shown, verdict: verdictOf(goal, figure, isSmall) });
    },
    end() {
      for (const title of unmeasured)
        judged.push({ title, limit: limitOf(goals[title]), figure: '', verdict: 'not measured' });
      run.stdout.write(`\n${tableOf(judged)}\n\n`);
      say(summaryOf(judged, isSmall));
      if (judged.some(({ verdict }) => verdict === 'missed')) run.exitCode = 1;
    },
  };
}

const numberOf = (value: number): string => Number(value.toPrecision(4)).toLocaleString('en');
const figureOf = ({ unit }: Goal, figure: number): string => numberOf(figure) + (unit === undefined ? '' : ` ${unit}`);

const limitOf = (goal: Goal): string =>
  'atMost' in goal ? `at most ${figureOf(goal, goal.atMost)}` : `at least ${figureOf(goal, goal.atLeast)}`;

function verdictOf(goal: Goal, figure: number, isSmall: boolean): Verdict {
  if (isSmall && !goal.inAnySize) return 'not judged';
  return ('atMost' in goal ? figure <= goal.atMost : figure >= goal.atLeast) ? 'met' : 'missed';
}

const tableOf = (judged: readonly Judged[]): string =>
  markdownTable(
    ['goal', 'limit', 'figure', 'verdict'],
    judged.map(({ title, limit, figure, verdict }) => [title, limit, figure, verdict]),
  ).join('\n');

function summaryOf(judged: readonly Judged[], isSmall: boolean): string {
  const count = (wanted: Verdict) => judged.filter(({ verdict }) => verdict === wanted).length;
  const unmeasured = count('not measured') > 0 ? `, ${count('not measured')} not measured` : '';
  const unjudged = isSmall
    ? `, ${count('not judged')} not judged: figures of the small size say nothing about them`
    : '';
  return `goals: ${count('met')} met, ${count('missed')} missed${unmeasured}${unjudged}`;
}
