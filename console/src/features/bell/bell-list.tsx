import type { Bell, BellEntry } from '@earshot/contract/bell';
import { useEffect, useRef, useState } from 'preact/hooks';
import { attempt } from '../../lib/attempt.ts';
import { Button } from '../../lib/ui/button.tsx';
import { dayAndMinute } from '../../lib/ui/clock.ts';
import { Empty, Skeleton, UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { markRead, olderEntries } from './data.ts';
import { entryAddress, entryText } from './entry-text.ts';

interface BellListProps {
  readonly bell: Bell | undefined;
  readonly onLeave: () => void;
}

/** What a person was told, newest first. What was shown is read when the list is closed. */
export function BellList({ bell, onLeave }: BellListProps) {
  const [older, setOlder] = useState<Bell | undefined>();
  const newest = bell?.results[0]?.key;
  const shown = useRef(newest);
  shown.current = newest ?? shown.current;
  const wasUnread = useRef(0);
  wasUnread.current = bell?.unreadCount ?? 0;
  useEffect(
    () => () => {
      if (shown.current !== undefined && wasUnread.current > 0) void markRead(shown.current);
    },
    [],
  );
  if (!bell) return <Skeleton rows={3} />;
  const entries = [...bell.results, ...(older?.results ?? [])];
  const next = older ? older.next : bell.next;
  const loadOlder = (cursor: string) =>
    attempt(async () => {
      const page = await olderEntries(cursor);
      setOlder({ ...page, results: [...(older?.results ?? []), ...page.results] });
    });
  if (entries.length === 0) {
    return (
      <Empty icon="bell" title="Nothing yet">
        Rules tell you here.{' '}
        <a href="/rules" onClick={onLeave}>
          Write one
        </a>
      </Empty>
    );
  }
  return (
    <div class="bell-list">
      {bell.unreadCount > 0 && newest !== undefined && (
        <Button small icon="check" onClick={() => void markRead(newest)}>
          Mark all as read
        </Button>
      )}
      <ul>
        {entries.map((entry) => (
          <Entry key={entry.key} entry={entry} onLeave={onLeave} />
        ))}
      </ul>
      {next !== undefined && (
        <Button small kind="quiet" onClick={() => void loadOlder(next)}>
          Load older
        </Button>
      )}
      <a href="/alerts" onClick={onLeave}>
        All alerts
      </a>
    </div>
  );
}

function Entry({ entry, onLeave }: { readonly entry: BellEntry; readonly onLeave: () => void }) {
  const { kind, isRead, isResolved, severity = 'info', text, startTime, startTimeMs = 0, creationDate = '' } = entry;
  const isNew = !isRead && !isResolved;
  return (
    <li>
      <a class={isNew ? `bell-entry unread ${severity}` : 'bell-entry'} href={entryAddress(entry)} onClick={onLeave}>
        <span class="bell-title">
          {isNew && <span class="unseen">Unread: </span>}
          <UserText text={entryText(entry)} />
        </span>
        {text !== undefined && (
          <span class="bell-words" dir="auto">
            “{text}”
          </span>
        )}
        <span class="row-under">
          {startTime !== undefined && <span>{dayAndMinute(startTime * 1_000 + startTimeMs)}</span>}
          {creationDate !== '' && (
            <span>
              told <Time date={creationDate} />
            </span>
          )}
          {kind === 'alert' && entry.reason !== undefined && <span>{entry.reason}</span>}
          {isResolved && <span>does not hold any more</span>}
        </span>
      </a>
    </li>
  );
}
