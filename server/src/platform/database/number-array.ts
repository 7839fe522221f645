/** The text of an array for the database. The driver would quote and look for quotes in every number. */
export const numberArray = (values: readonly (number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;
