import type { Mutant } from './find-mutants.ts';
import { applyMutant } from './find-mutants.ts';

export interface FileResult {
  readonly file: string;
  readonly mutants: number;
  readonly killed: number;
  readonly equivalent: number;
  readonly survivors: readonly Mutant[];
  readonly seconds: number;
}

const mostShownLines = 4;

/** The line of a mutant, and what its lines were and are. */
export function describeMutant(mutant: Mutant): { line: number; before: string[]; after: string[] } {
  const { source, start, end, text } = mutant;
  const from = source.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = source.indexOf('\n', end);
  const before = source.slice(from, lineEnd < 0 ? source.length : lineEnd);
  const after = applyMutant(mutant).slice(from, from + before.length + text.length - (end - start));
  const linesOf = (part: string) => part.split('\n').map((line) => line.trim());
  return { line: source.slice(0, start).split('\n').length, before: linesOf(before), after: linesOf(after) };
}

/** As a difference: a `-` before what was, a `+` before what is. */
export function showMutant(mutant: Mutant): string {
  const { line, before, after } = describeMutant(mutant);
  const show = (sign: string, lines: string[]) => [
    ...lines.slice(0, mostShownLines).map((each) => `  ${sign} ${each}`),
    ...(lines.length > mostShownLines ? [`  ${sign} … ${lines.length - mostShownLines} more lines`] : []),
  ];
  return [`${mutant.file}:${line}`, ...show('-', before), ...show('+', after)].join('\n');
}

const percent = (killed: number, judged: number): string =>
  judged === 0 ? '–' : `${((100 * killed) / judged).toFixed(0)} %`;

/** A row for each file, and one for all. */
export function showTable(results: readonly FileResult[]): string {
  const sum = (pick: (result: FileResult) => number) => results.reduce((total, result) => total + pick(result), 0);
  const rows = results.map(({ file, killed, survivors, equivalent, mutants, seconds }) =>
    [
      file,
      percent(killed, killed + survivors.length),
      killed,
      survivors.length,
      equivalent,
      mutants,
      seconds.toFixed(0),
    ].map(String),
  );
  const [killed, survived] = [sum((each) => each.killed), sum((each) => each.survivors.length)];
  const total = [
    'all',
    percent(killed, killed + survived),
    killed,
    survived,
    sum((each) => each.equivalent),
    sum((each) => each.mutants),
    sum((each) => each.seconds).toFixed(0),
  ].map(String);
  const lines = [['file', 'score', 'killed', 'survived', 'equivalent', 'of', 'seconds'], ...rows, total];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  return lines
    .map((line) =>
      line.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('  '),
    )
    .join('\n');
}
