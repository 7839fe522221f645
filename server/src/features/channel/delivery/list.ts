import type { DeliveryFilter, DeliveryPage } from '@earshot/contract/delivery';
import { defaultCount } from '@earshot/contract/values';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { hideReason } from '../../../platform/outbound/outbound-error.ts';
import { makePage, readCursor } from '../../../platform/page-cursor.ts';
import { selectDeliveries } from './list-queries.ts';

export async function findDeliveries(db: Db, caller: Caller, given: DeliveryFilter): Promise<DeliveryPage> {
  const count = given.count || defaultCount;
  const cursor = given.cursor ? readCursor(given.cursor) : undefined;
  const found = await selectDeliveries(db, caller, {
    channelID: given.channelID || undefined,
    alertID: given.alertID || undefined,
    state: given.state,
    after: cursor?.key,
    ascending: cursor?.isBack ?? false,
    count: count + 1,
  });
  const placed = found.map((delivery) => ({ ...delivery, time: 0 }));
  const page = placed.slice(0, count);
  const end = placed.length > count ? page.at(-1) : undefined;
  const { rows, ...cursors } = makePage({ cursor, ascending: false, rows: page, end });
  const results = rows.map(({ time: _time, ...delivery }) => delivery);
  return { results: caller.role === 'admin' ? results : results.map(withoutNetwork), ...cursors };
}

const withoutNetwork = <Row extends { readonly reason?: string }>(delivery: Row): Row =>
  delivery.reason ? { ...delivery, reason: hideReason(delivery.reason) } : delivery;
