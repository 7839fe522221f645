import type { Db } from '../../platform/database/connect.ts';

export const pingDatabase = (db: Db): Promise<unknown> => db`select 1`;
