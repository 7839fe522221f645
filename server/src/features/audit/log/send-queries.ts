import { smallestKeptSize } from '@earshot/contract/kept-heads';
import type { Db } from '../../../platform/database/connect.ts';

/** Longer than an attempt takes: if a node stops during one, another node makes the next. */
const leaseSeconds = 60;
const retrySeconds = 30;

/**
 * The newest head, if it was not sent and the last one was sent long enough ago. Other nodes do not get it meanwhile. Times
 * that lie ahead were noted before the clock was set back, and hold nothing up.
 */
export async function claimHead(db: Db, everySeconds: number): Promise<string | undefined> {
  const [row] = await db<{ head: string }[]>`
    update audit_log set sending_until = now() + make_interval(secs => ${leaseSeconds})
    where head is not null and size >= ${smallestKeptSize} and unsent_since is not null
      and coalesce(sending_until not between now() and now() + make_interval(secs => ${leaseSeconds}), true)
      and coalesce(sent_date not between now() - make_interval(secs => ${everySeconds}) and now(), true)
    returning head`;
  return row?.head;
}

/** A newer head waits from now on. */
export async function noteSent(db: Db, head: string, size: number): Promise<void> {
  await db`
    update audit_log set sent_size = ${size}, sent_date = now(), send_fault = null, sending_until = null,
      unsent_since = case when head = ${head} then null else now() end`;
}

export async function noteSendFault(db: Db, fault: string): Promise<void> {
  await db`
    update audit_log set send_fault = ${fault}, sending_until = now() + make_interval(secs => ${retrySeconds})`;
}
