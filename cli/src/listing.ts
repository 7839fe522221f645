import type { Options } from './command.ts';

/** Lists are read in pages, so that they may have any length. */
export const listOptions = {
  limit: { kind: 'integer', short: 'n', least: 1, value: 'N', fallback: 50, help: 'show at most N records' },
  all: { kind: 'flag', help: 'show all records, however many there are' },
} as const satisfies Options;

export const mostOfOptions = ({ limit, all }: { readonly limit: number; readonly all: boolean }): number =>
  all ? Infinity : limit;

const pageSize = 500;

/** The records of a list with cursors. */
export async function* readPages<Row>(
  most: number,
  load: (page: {
    readonly count: number;
    readonly cursor?: string;
  }) => Promise<{ results: readonly Row[]; next?: string }>,
): AsyncGenerator<readonly Row[]> {
  let cursor: string | undefined;
  let left = most;
  do {
    const { results, next } = await load({
      count: Math.min(pageSize, left),
      ...(cursor === undefined ? {} : { cursor }),
    });
    const taken = results.slice(0, left);
    left -= taken.length;
    cursor = next;
    if (taken.length > 0) yield taken;
  } while (cursor !== undefined && left > 0);
}

/** The records of a list that skips a number of them. */
export async function* readOffsets<Row>(
  most: number,
  size: number,
  load: (page: { readonly offset: number; readonly count: number }) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let offset = 0; offset < most;) {
    const count = Math.min(size, most - offset);
    const rows = await load({ offset, count });
    if (rows.length > 0) yield rows;
    if (rows.length < count) return;
    offset += rows.length;
  }
}
