import type { Pool } from '../../platform/database/connect.ts';
import type { ToldChanges, WriteChanges } from '../channel/public.ts';
import type { Live } from '../live/public.ts';
import { findMatching } from './find-matching.ts';
import { ownerOf } from './place-queries.ts';
import { dataOfChange } from './change-data.ts';
import { titleOfChange, listTitles } from './change-text.ts';
import { findToldNames, findRange } from './told-queries.ts';
import { startAgain } from './write-messages.ts';

interface WritingParts {
  readonly db: Pool;
  readonly changes: Live['changes'];
  readonly changeHours: number;
}

/** Characters of records in a message; those beyond are left out, and can be read by their keys. */
const mostShown = 200_000;

/** What a message says is read when it is sent: with what its owner and its recipient may know at that moment. */
export function createChangeWriter({ db, changes, changeHours }: WritingParts): WriteChanges {
  return async (deliveryID, recipient) => {
    const range = await findRange(db, deliveryID);
    if (!range) return 'The subscription is gone, or changes were missed.';
    const { key: subscriptionID, afterXid } = range;
    if (afterXid === null) return missed(subscriptionID, changeHours);
    const batch = await changes.between(
      { xid: afterXid, key: range.afterKey },
      { xid: range.untilXid, key: range.untilKey },
    );
    if (batch.sweptTo) {
      await startAgain(db, range, await changes.findEnd());
      return `Its changes are no longer kept (EARSHOT_CHANGE_HOURS is ${changeHours}).`;
    }
    const found = await findMatching(db, range, batch);
    const devices = found.flatMap(({ row: { deviceID } }) => (deviceID === null ? [] : [deviceID]));
    const names = await findToldNames(db, recipient, [...new Set(devices)]);
    // What belongs to no device is shown to its owner, and nobody else is known to be allowed to see it.
    const isToOwner = !recipient.isOutside && recipient.caller.userID === ownerOf(range).userID;
    let shown = 0;
    const told = found.map((change) => {
      const { deviceID } = change.row;
      shown += change.record.length;
      const mayShow = shown <= mostShown && (deviceID === null ? isToOwner : names.has(deviceID));
      const { record, ...data } = dataOfChange(change, { mayShow, includesWords: range.includesWords });
      return {
        type: change.name,
        timestamp: new Date(change.row.atMs).toISOString(),
        data: { ...data, ...(record === undefined ? {} : { record }) },
        title: titleOfChange(change, deviceID === null ? undefined : names.get(deviceID), record),
        words: typeof record?.['transcript'] === 'string' ? record['transcript'] : undefined,
      };
    });
    const [first] = told;
    if (!first) return 'Its owner may not see it any more, or it is gone.';
    if (told.length === 1)
      return {
        type: first.type,
        date: new Date(first.timestamp),
        data: { subscriptionID, ...first.data },
        title: first.title,
        lines: first.words ? [`“${first.words}”`] : [],
      };
    return {
      type: 'changes',
      data: { subscriptionID, changes: told.map(({ type, timestamp, data }) => ({ type, timestamp, data })) },
      title: `${told.length} changes`,
      lines: listTitles(told.map(({ title }) => title)),
    };
  };
}

const missed = (subscriptionID: number, changeHours: number): ToldChanges => ({
  type: 'reset',
  data: { subscriptionID },
  title: 'Some changes were missed',
  lines: [`They are kept for ${changeHours} hours. Read again what you need.`],
});
