/** An array as text for the database. Faster than the driver, which quotes and escapes every number. */
export const numberArray = (values: readonly (number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;
