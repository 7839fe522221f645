/*
 * Divides the text of a migration into its statements, so that each is sent alone: a distributed PostgreSQL refuses
 * several in one message. Semicolons in strings, quoted names, comments and bodies of functions ($$ … $$) divide nothing.
 */

const parts = [
  /--[^\n]*/y,
  // Comments can contain comments; migrations have none of this kind.
  /\/\*[\s\S]*?\*\//y,
  /'(?:[^']|'')*'/y,
  /"(?:[^"]|"")*"/y,
  /\$(?<tag>\w*)\$[\s\S]*?\$\k<tag>\$/y,
  /[^;]/y,
];

export function splitStatements(sql: string): string[] {
  const statements: string[] = [];
  let start = 0;
  let at = 0;
  while (at < sql.length) {
    const end = endOfPart(sql, at);
    if (end === undefined) {
      statements.push(sql.slice(start, at));
      start = at + 1;
    }
    at = end ?? start;
  }
  statements.push(sql.slice(start));
  return statements.map((statement) => statement.trim()).filter((statement) => withoutComments(statement) !== '');
}

/** Undefined at a semicolon. */
function endOfPart(sql: string, at: number): number | undefined {
  for (const part of parts) {
    part.lastIndex = at;
    if (part.test(sql)) return part.lastIndex;
  }
  return undefined;
}

const withoutComments = (statement: string): string => statement.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '').trim();
