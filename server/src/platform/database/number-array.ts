/** An array of numbers as text for the database; a missing number is NULL. */
export const numberArray = (values: readonly (number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;
