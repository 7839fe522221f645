import type { Db } from '../../../platform/database/connect.ts';

/** Longer than an attempt takes: if a node stops during one, another node makes the next. */
const leaseSeconds = 60;
const retrySeconds = 30;

/** The newest head, if it was not sent and the last one was sent long enough ago. Other nodes do not get it meanwhile. */
export async function claimHead(db: Db, everySeconds: number): Promise<string | undefined> {
  const [row] = await db<{ head: string }[]>`
    update audit_log set sending_until = now() + make_interval(secs => ${leaseSeconds})
    where head is not null and unsent_since is not null and coalesce(sending_until < now(), true)
      and coalesce(sent_date <= now() - make_interval(secs => ${everySeconds}), true)
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
