export interface Table {
  readonly kind: 'table';
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const isRow = (line: string | undefined): line is string => line?.startsWith('|') ?? false;
const isRule = (line: string | undefined): boolean => isRow(line) && /^\|(?: *:?-+:? *\|)+ *$/.test(line);

/** A table begins with a row of names and a rule below it. */
export function readTable(
  lines: readonly string[],
  at: number,
): readonly [tables: readonly Table[], next: number] | undefined {
  const head = lines[at];
  if (!isRow(head) || !isRule(lines[at + 1])) return undefined;
  let end = at + 2;
  while (isRow(lines[end])) end += 1;
  const rows = lines.slice(at + 2, end).map(readCells);
  return [[{ kind: 'table', head: readCells(head), rows }], end];
}

/** A bar within a cell is written `\|`, also in code. */
const readCells = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll(String.raw`\|`, '|'));
