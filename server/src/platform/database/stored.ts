/** A record of the contract as a row of its table has it: the named fields are never missing. */
export type Stored<Row, Key extends keyof Row> = Omit<Row, Key> & {
  readonly [Name in Key]-?: Exclude<Row[Name], undefined>;
};

/** A value that exists for every row, such as the key of an inserted row by its position. `place` names table and place. */
export function requireValue<Value>(value: Value | null | undefined, place: string): Value {
  if (value === undefined || value === null) throw new Error(`${place} is missing`);
  return value;
}
