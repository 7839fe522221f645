/** A part of a source file, and the text that takes its place. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Not part of `<>`, `->`, `=>`, `<<`, `<@` and their like. */
const comparison = /(?<![-<>=@#!~|&])(<=|>=|<|>)(?![<>=@-])/g;
/** Not the one of `between … and`. */
const conjunction = /(?<!\bbetween\s+\S+\s+)\b(and|or)\b/g;
const nullTest = /\bis (not )?null\b/g;
const existence = /\b(not )?exists\b/g;
const order = /\b(desc|asc)\b/g;

const swapped: Record<string, string> = {
  '<=': '<',
  '>=': '>',
  '<': '<=',
  '>': '>=',
  and: 'or',
  or: 'and',
  'is null': 'is not null',
  'is not null': 'is null',
  exists: 'not exists',
  'not exists': 'exists',
  desc: 'asc',
  asc: 'desc',
};

/** The small changes of a text of SQL that begins at this place of its file. */
export function mutateSql(sql: string, place: number): Replacement[] {
  return [comparison, conjunction, nullTest, existence, order].flatMap((pattern) =>
    [...sql.matchAll(pattern)].map(({ index, 0: found }) => {
      const start = place + index;
      return { start, end: start + found.length, text: swapped[found] ?? found };
    }),
  );
}
