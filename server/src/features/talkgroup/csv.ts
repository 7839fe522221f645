import { largestTalkgroup } from '@earshot/contract/radio';
import { longTextLength, shortTextLength } from '@earshot/contract/values';
import type { TalkgroupNames } from './queries.ts';

/** The cells of a CSV text (RFC 4180), with the number of the line on which each row begins. */
export function* parseCsv(text: string): Generator<{ readonly line: number; readonly cells: readonly string[] }> {
  const cellPattern = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|\n|\r|$)/y;
  let [line, nextLine] = [1, 1];
  let cells: string[] = [];
  while (cellPattern.lastIndex < text.length || cells.length > 0) {
    const found = cellPattern.exec(text);
    // A quote that is not closed, or text after a closing quote: the rest of the line is taken as it is.
    if (!found) return;
    const [whole, quoted, plain, end] = found;
    cells.push(quoted === undefined ? (plain ?? '').trim() : quoted.replaceAll('""', '"').trim());
    nextLine += whole.split('\n').length - 1;
    if (end === ',') continue;
    yield { line, cells };
    [line, cells] = [nextLine, []];
    if (cellPattern.lastIndex >= text.length) return;
  }
}

const columnNames = {
  decimal: 'talkgroup',
  'alpha tag': 'label',
  alphatag: 'label',
  description: 'name',
  tag: 'tag',
  category: 'group',
  group: 'group',
} as const;
type Column = (typeof columnNames)[keyof typeof columnNames];

/** The columns of trunk-recorder's files without a first line that names them. */
const usualColumns: readonly (Column | undefined)[] = [
  'talkgroup',
  undefined,
  undefined,
  'label',
  'name',
  'tag',
  'group',
];

export interface TalkgroupLine {
  readonly line: number;
  readonly names?: TalkgroupNames;
  /** Why the line has none. */
  readonly reason?: string;
}

export function* readTalkgroupFile(csv: string): Generator<TalkgroupLine> {
  let columns: readonly (Column | undefined)[] | undefined;
  for (const { line, cells } of parseCsv(csv.replace(/^\uFEFF/, ''))) {
    if (cells.every((cell) => cell === '')) continue;
    if (columns === undefined) {
      const named = cells.map(
        (cell) => columnNames[cell.toLowerCase() as keyof typeof columnNames] as Column | undefined,
      );
      columns = named.includes('talkgroup') ? named : usualColumns;
      if (columns === named) continue;
    }
    yield readLine(line, cells, columns);
  }
}

function readLine(line: number, cells: readonly string[], columns: readonly (Column | undefined)[]): TalkgroupLine {
  const cell = (column: Column): string => cells[columns.indexOf(column)] ?? '';
  const talkgroup = /^\d{1,10}$/.test(cell('talkgroup')) ? Number(cell('talkgroup')) : 0;
  if (talkgroup < 1 || talkgroup > largestTalkgroup) {
    return { line, reason: `The decimal number must be 1 to ${largestTalkgroup}.` };
  }
  const named = (column: Column, length: number): string | null => cell(column).slice(0, length) || null;
  const group = named('group', shortTextLength);
  return {
    line,
    names: {
      talkgroup,
      label: named('label', shortTextLength),
      name: named('name', longTextLength),
      groups: group === null ? [] : [group],
      tag: named('tag', shortTextLength),
    },
  };
}
