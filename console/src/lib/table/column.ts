import type { ComponentChildren } from 'preact';

/** A column of a table. */
export interface TableColumn<Row> {
  /** In the address and in stored settings. */
  readonly name: string;
  readonly label: string;
  /** What the operation calls the order by this column. */
  readonly sort?: string;
  /** A first click sorts from the largest to the smallest. */
  readonly isLargestFirst?: boolean;
  /** A track of the CSS grid. */
  readonly width: string;
  readonly isNumber?: boolean;
  /** It cannot be hidden. */
  readonly isFixed?: boolean;
  /** Not shown until somebody chooses it. */
  readonly isHidden?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
  /** For copies and exports. */
  readonly text: (row: Row) => string;
}

export interface Sorting {
  readonly by: string;
  readonly isDescending: boolean;
}

/** `-lastContactDate` in the address: by the last contact, the newest first. */
export const writeSorting = ({ by, isDescending }: Sorting): string => `${isDescending ? '-' : ''}${by}`;

export function readSorting<Row>(text: string | null, columns: readonly TableColumn<Row>[], usual: Sorting): Sorting {
  const isDescending = text?.startsWith('-') ?? false;
  const by = isDescending ? text?.slice(1) : text;
  const known = columns.some(({ sort }) => sort !== undefined && sort === by);
  return known && by ? { by, isDescending } : usual;
}

/** What a click on the head of a column means. */
export function nextSorting<Row>({ sort = '', isLargestFirst = false }: TableColumn<Row>, was: Sorting): Sorting {
  return was.by === sort ? { by: sort, isDescending: !was.isDescending } : { by: sort, isDescending: isLargestFirst };
}
