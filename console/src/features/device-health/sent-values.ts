/** A value of a health report, named by its place in it: `battery.percent`. */
export interface ReportValue {
  readonly name: string;
  readonly text: string;
}

const mostValues = 200;
const longestText = 300;
/** Has a list of its own on the page. */
const shownElsewhere = 'recordings.setAsideFiles';

/** All values of a report in its order. A report is whatever a device sent. */
export function readValues(healthJSON: string): readonly ReportValue[] {
  const values: ReportValue[] = [];
  const read = (value: unknown, name: string): void => {
    if (values.length >= mostValues || value === null || name === shownElsewhere) return;
    if (typeof value === 'object') {
      for (const [key, part] of Object.entries(value)) read(part, name === '' ? key : `${name}.${key}`);
    } else
      values.push({ name, text: (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, longestText) });
  };
  try {
    read(JSON.parse(healthJSON), '');
  } catch {
    // Not JSON: the report has no values.
  }
  return values;
}
