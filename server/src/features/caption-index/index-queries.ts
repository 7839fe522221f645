import type { Db } from '../../platform/database/connect.ts';
export interface SpokenCaption {
  readonly clipID: number;
  readonly transcript: string;
}

export const moveIndexOfDevice = (tx: Db, deviceID: number, intoID: number): Promise<unknown> =>
  tx`update caption_search set device_id = ${intoID} where device_id = ${deviceID}`;
