import type { LogLevel, LogMessageWithNames } from '@earshot/contract/log-message';
import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';

export const linesPerPage = 100;

interface LogFilter {
  readonly searchText: string;
  readonly level: LogLevel | undefined;
  readonly count: number;
}

export const logOf = (
  deviceID: number,
  { searchText, level, count }: LogFilter,
): Query<readonly LogMessageWithNames[]> => ({
  key: `log ${deviceID} ${level ?? ''} ${count} ${searchText}`,
  load: () =>
    api.listLogMessages({
      body: { deviceID, count, ...(searchText === '' ? {} : { searchText }), ...(level ? { level } : {}) },
    }),
});
