/** A line of a CSV file (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe before it. */
export const writeCsvLine = (values: readonly (string | number | undefined)[]): string =>
  `${values.map(writeValue).join(',')}\r\n`;

function writeValue(value: string | number | undefined): string {
  if (typeof value !== 'string') return String(value ?? '');
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
