/** A recording that the platform refused, and that the device therefore keeps without sending it again. */
export interface SetAsideFile {
  /** As the device shows its name. */
  readonly path: string;
  readonly reason: string;
  readonly sinceDate: string | undefined;
}

export interface SetAside {
  readonly count: number;
  /** Some of them: a report has only the first ones. */
  readonly files: readonly SetAsideFile[];
  readonly reportDate: string;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/**
 * Null if the device has set nothing aside, or its agent does not know of it. A report is whatever a device sent, so every
 * part of it is checked.
 */
export function readSetAside(healthJSON: string, reportDate: string): SetAside | null {
  const report = parseReport(healthJSON);
  const recordings = isRecord(report) ? report['recordings'] : undefined;
  if (!isRecord(recordings)) return null;
  const { setAside: count, setAsideFiles: listed } = recordings;
  if (typeof count !== 'number' || !Number.isSafeInteger(count) || count <= 0) return null;
  const files = (Array.isArray(listed) ? listed : []).flatMap(readFile);
  return { count: Math.max(count, files.length), files, reportDate };
}

function parseReport(healthJSON: string): unknown {
  try {
    return JSON.parse(healthJSON);
  } catch {
    return undefined;
  }
}

const mostWarnings = 5;

/** What the agent asks people to change on the device. */
export function readWarnings(healthJSON: string): readonly string[] {
  const report = parseReport(healthJSON);
  const warnings = isRecord(report) ? report['warnings'] : undefined;
  if (!Array.isArray(warnings)) return [];
  return warnings.filter((text) => typeof text === 'string').slice(0, mostWarnings);
}

function readFile(value: unknown): readonly SetAsideFile[] {
  if (!isRecord(value) || typeof value['path'] !== 'string') return [];
  const { path, reason, sinceDate } = value;
  const isDate = typeof sinceDate === 'string' && Number.isFinite(Date.parse(sinceDate));
  return [{ path, reason: typeof reason === 'string' ? reason : '', sinceDate: isDate ? sinceDate : undefined }];
}
