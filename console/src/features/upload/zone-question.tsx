import { Button } from '../../lib/ui/button.tsx';
import { viewerZone } from '../../lib/ui/clock.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { PickList } from '../../lib/ui/filter-pick.tsx';
import { dateAndTime } from '../../lib/ui/times.ts';
import type { UploadItem } from './item.ts';
import { lacksZone } from './item.ts';
import { answerZone } from './queue.ts';

const zoneText = (zone: string): string => zone.replaceAll('_', ' ');

/** One question for all files whose time has no zone. The other files do not wait for the answer. */
export function ZoneQuestion({ items }: { readonly items: readonly UploadItem[] }) {
  const asked = items.filter((item) => item.state === 'ready' && lacksZone(item));
  const [first] = asked;
  if (!first) return null;
  const mine = viewerZone();
  const quick = [...new Set([mine, 'UTC'])];
  const others = Intl.supportedValuesOf('timeZone').filter((zone) => !quick.includes(zone));
  const isOne = asked.length === 1;
  return (
    <section class="notice zone-question" aria-label="Time zone">
      <p>
        <strong>
          {countText(asked.length, 'file')} {isOne ? 'names' : 'name'} a time without a time zone.
        </strong>{' '}
        <UserText text={first.name} /> says {dateAndTime(new Date(first.start ?? 0), 'UTC')}. Which zone was the
        recorder’s clock set to? {isOne ? 'Only this file waits' : 'Only these files wait'} for the answer.
      </p>
      <div class="drop-buttons">
        {quick.map((zone) => (
          <Button key={zone} kind={zone === mine ? 'primary' : 'plain'} onClick={() => answerZone(zone)}>
            {zone === mine ? `${zoneText(zone)} (yours)` : zone}
          </Button>
        ))}
        <PickList
          label="Time zone of the recorder"
          text="Another zone…"
          options={others.map((zone) => ({ value: zone, label: zoneText(zone) }))}
          onPick={answerZone}
        />
      </div>
    </section>
  );
}
