import type { Db } from '../../platform/database/connect.ts';
import type { Outlet, Told } from '../bell/public.ts';
import { bellOutlet } from '../bell/public.ts';
import { channelOutlet } from '../channel/public.ts';
import { endEscalations } from './escalate/queries.ts';

/** Every way in which people are told. */
const outlets: readonly Outlet[] = [bellOutlet, channelOutlet];

export async function tellPeople(tx: Db, told: Told): Promise<void> {
  for (const outlet of outlets) await outlet.tell(tx, told);
}

/** After alerts were acknowledged or closed. */
export async function settleTold(tx: Db, alerts: readonly number[]): Promise<void> {
  if (alerts.length === 0) return;
  await endEscalations(tx, alerts);
  for (const outlet of outlets) await outlet.settle?.(tx, alerts);
}
