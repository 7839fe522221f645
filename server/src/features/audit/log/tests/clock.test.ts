import { randomBytes } from 'node:crypto';
import { createTestDatabase } from '@earshot/server/testing/database';
import { recordingLog } from '@earshot/server/testing/log';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../../platform/database/connect.ts';
import { createSecretBox } from '../../../../platform/secrets/secret-box.ts';
import { sealEntries } from '../seal.ts';
import { sendEverySeconds, sendHead } from '../send-heads.ts';

const secretBox = createSecretBox(randomBytes(32));

async function openLog() {
  const database = await createTestDatabase();
  const db = connect(database.url, { connections: 2, name: 'clock' });
  onTestFinished(() => db.end({ timeout: 1 }).then(() => database.drop()));
  const size = async () => (await db<{ size: number }[]>`select size from audit_log`)[0]?.size ?? 0;
  const addHead = async (): Promise<void> => {
    const before = await size();
    await db`insert into audit_entries (action) values ('sign-out')`;
    const grown = () => sealEntries({ db, secretBox }, { waits: true }).then(size);
    await expect.poll(grown).toBeGreaterThan(before);
  };
  return { db, addHead };
}

test('after the clock was set back, heads are sent as before', async () => {
  const { db, addHead } = await openLog();
  const sent: string[] = [];
  const put = (name: string) => Promise.resolve(void sent.push(name));
  const send = () => sendHead({ db, log: recordingLog(), put }, sendEverySeconds);
  await addHead();
  await send();
  expect(sent).toHaveLength(1);
  await addHead();
  await send();
  // The last one was sent a moment ago.
  expect(sent).toHaveLength(1);
  await db`update audit_log set sent_date = now() + interval '2 years', sending_until = now() + interval '2 years'`;
  await send();
  expect(sent).toHaveLength(2);
});

test('after the clock was set back, a head that cannot be sent is reported as late', async () => {
  const { db, addHead } = await openLog();
  const log = recordingLog();
  const put = () => Promise.reject(new Error('nobody answers'));
  await addHead();
  await db`update audit_log set unsent_since = now() + interval '2 years'`;
  await addHead();
  const [row] = await db<{ ahead: boolean }[]>`select unsent_since > now() as ahead from audit_log`;
  expect(row?.ahead).toBe(false);
  await db`update audit_log set unsent_since = unsent_since - interval '16 minutes'`;
  await sendHead({ db, log, put }, 0);
  expect(log.lines.map(({ message }) => message).join('\n')).toContain('cannot be sent away');
});

test('a place that nobody reaches for days gets one head when it is back, which covers all entries', async () => {
  const { db, addHead } = await openLog();
  const sent: string[] = [];
  let isAway = true;
  const put = (name: string) =>
    isAway ? Promise.reject(new Error('nobody answers')) : Promise.resolve(void sent.push(name));
  const send = () => sendHead({ db, log: recordingLog(), put }, sendEverySeconds);
  for (let day = 0; day < 4; day += 1) {
    await addHead();
    await send();
    await db`update audit_log set unsent_since = unsent_since - interval '1 day', sending_until = sending_until - interval '1 day'`;
  }
  isAway = false;
  await send();
  await send();
  const [row] = await db`select size, sent_size, unsent_since, send_fault from audit_log`;
  expect(row).toMatchObject({ sent_size: row?.['size'] as number, unsent_since: null, send_fault: null });
  expect(sent).toEqual([expect.stringContaining(String(row?.['size']).padStart(12, '0'))]);
});
