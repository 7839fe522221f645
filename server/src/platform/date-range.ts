import { parseDateTime } from '@earshot/contract/date-time';
import { invalidField } from '../errors.ts';

export interface DateRange {
  readonly from: Date | undefined;
  readonly to: Date | undefined;
}

/** The half-open range of a validated filter. */
export function readDateRange({ startDate, endDate }: { startDate?: string; endDate?: string }): DateRange {
  const from = startDate === undefined ? undefined : parseDateTime(startDate);
  const to = endDate === undefined ? undefined : parseDateTime(endDate);
  if (from && to && to < from) throw invalidField('endDate', 'must not be before startDate');
  return { from, to };
}
