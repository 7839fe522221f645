import type { Bell, BellEntry } from '@earshot/contract/bell';
import { signal } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useQuery } from '../../lib/query.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { BellList } from './bell-list.tsx';
import { hasBellSound, playBellSound } from './bell-sound.ts';
import { newestEntries, unreadText } from './data.ts';
import { entryText } from './entry-text.ts';

const isOpen = signal(false);

/** The button with the number of unread entries; one in the side bar, one in the bar of a phone. */
export function BellButton() {
  const { data } = useQuery(newestEntries);
  const unread = data?.unreadCount ?? 0;
  return (
    <button class="nav-link bell" type="button" aria-haspopup="dialog" onClick={() => (isOpen.value = true)}>
      <Icon name="bell" />
      <span class="bell-name">Bell</span>
      {unread > 0 && (
        <span class="bell-count">
          {unreadText(unread)}
          <span class="unseen"> unread</span>
        </span>
      )}
    </button>
  );
}

/** The open bell, and what is announced while it is closed. Once on every page. */
export function BellPlace() {
  const { data } = useQuery(newestEntries);
  return (
    <>
      <p class="unseen" role="status">
        {useNews(data)}
      </p>
      {isOpen.value && (
        <Dialog title="Bell" onClose={() => (isOpen.value = false)}>
          <BellList bell={data} onLeave={() => (isOpen.value = false)} />
        </Dialog>
      )}
    </>
  );
}

/** The newest entry that came while the page was open, to be read aloud. With the sound, if it was chosen. */
function useNews(bell: Bell | undefined): string {
  const newest: BellEntry | undefined = bell?.results[0];
  const key = newest?.key ?? 0;
  const known = useRef<number | undefined>(undefined);
  const [news, setNews] = useState('');
  useEffect(() => {
    if (bell === undefined) return;
    const before = known.current;
    known.current = Math.max(before ?? 0, key);
    if (before === undefined || key <= before || !newest || newest.isRead || newest.isResolved) return;
    setNews(`New in the bell: ${entryText(newest)}`);
    if (hasBellSound() && !newest.isQuiet) playBellSound();
  }, [bell === undefined, key]);
  return news;
}
