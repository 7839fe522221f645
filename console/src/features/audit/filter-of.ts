import type { AuditExport } from '@earshot/contract/audit';
import type { AuditAction } from '@earshot/contract/audit-actions';
import { auditActions } from '@earshot/contract/audit-actions';

const keyOf = (text: string | null): number | undefined => {
  const key = Number(text);
  return Number.isSafeInteger(key) && key > 0 ? key : undefined;
};

const isAction = (text: string | null): text is AuditAction => text !== null && Object.hasOwn(auditActions, text);

/** A day of the address in the time of the browser; `days` later. */
function startOfDay(text: string | null, days = 0): string | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? '') ?? [];
  const date = new Date(Number(year), Number(month) - 1, Number(day) + days);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** The filter as it is written in the address. The last day is included. */
export function auditFilterOf(query: URLSearchParams): AuditExport {
  const [userID, deviceID] = [keyOf(query.get('person')), keyOf(query.get('device'))];
  const action = query.get('action');
  const [startDate, endDate] = [startOfDay(query.get('from')), startOfDay(query.get('to'), 1)];
  const isEmpty = startDate !== undefined && endDate !== undefined && endDate < startDate;
  return {
    ...(userID === undefined ? {} : { userID }),
    ...(deviceID === undefined ? {} : { deviceID }),
    ...(isAction(action) ? { action } : {}),
    ...(startDate === undefined ? {} : { startDate }),
    ...(endDate === undefined ? {} : { endDate: isEmpty ? startDate : endDate }),
  };
}
