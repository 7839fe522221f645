import type { Db, Fragment } from './connect.ts';

type Value = string | number | boolean | Date | null | undefined;

/** `, "a" = …, "b" = …` for the given columns: undefined leaves a column unchanged, null clears it. */
export function changedColumns(db: Db, changes: Readonly<Record<string, Value>>): Fragment {
  const given = Object.entries(changes).filter(
    (entry): entry is [string, Exclude<Value, undefined>] => entry[1] !== undefined,
  );
  return given.reduce<Fragment>((list, [column, value]) => db`${list}, ${db(column)} = ${value}`, db``);
}
