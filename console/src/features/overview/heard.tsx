import type { DayOverview, TagLevel, WordLevel } from '@earshot/contract/overview';
import type { ComponentChildren } from 'preact';
import { timeText, viewerZone } from '../../lib/ui/clock.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { durationText } from '@earshot/contract/duration-text';
import { Section, Skeleton, UserText } from '../../lib/ui/elements.tsx';
import { busiestHour } from './hour-bars.ts';
import { HourChart } from './hour-chart.tsx';

const leastEarlier = 20;

/** What was recorded in the last day, and which words and tags are unusual. */
export function Heard({ day }: { readonly day: DayOverview }) {
  const { clipCount, soundSeconds, isComplete, hours } = day;
  const counts = hours.map((hour) => hour.clipCount);
  const busiest = busiestHour(counts);
  const when = busiest === undefined ? '' : timeText(new Date(hours[busiest]!.startDate).getTime(), viewerZone());
  const atLeast = isComplete ? '' : 'at least ';
  return (
    <Section title="Heard in the last 24 hours" action={<a href="/clips?when=day">All clips</a>}>
      <div class="day-part">
        <p class="day-line">
          <strong>
            {atLeast}
            {countText(clipCount, 'clip')}
          </strong>{' '}
          <span class="quiet">
            {durationText(soundSeconds * 1_000)} of sound
            {busiest !== undefined && `, most in the hour from ${when}`}
          </span>
        </p>
        <HourChart
          values={counts}
          most={Math.max(1, ...counts)}
          label={`Clips by hour${busiest === undefined ? ': none' : `, most from ${when}: ${counts[busiest]}`}`}
        />
      </div>
      <Levels day={day} />
    </Section>
  );
}

/** Keeps the place of the chart until its data is there, so that nothing below it moves. */
export const HeardPlace = () => (
  <Section title="Heard in the last 24 hours">
    <div class="day-part heard-place">
      <Skeleton rows={1} />
    </div>
  </Section>
);

const usualText = ({ usualClipCount }: WordLevel | TagLevel): string =>
  `usually ${usualClipCount < 0.5 ? 'none' : Math.round(usualClipCount).toLocaleString('en')}`;

function Levels({ day }: { readonly day: DayOverview }) {
  const { words, tags, startDate, sampledClipCount, earlierClipCount, clipCount } = day;
  const fromEpoch = Math.floor(new Date(startDate).getTime() / 1_000);
  const isPart = sampledClipCount < clipCount;
  return (
    <div class="day-part">
      <h3>Above the usual level</h3>
      {words.length + tags.length === 0 ? (
        <p class="quiet">
          {earlierClipCount < leastEarlier
            ? 'There are too few recordings of the seven days before to compare with.'
            : 'No word and no tag stands out from the seven days before.'}
        </p>
      ) : (
        <>
          {words.length > 0 && (
            <LevelList title="Words">
              {words.map((level) => (
                <Level
                  key={level.word}
                  level={level}
                  text={level.word}
                  href={`/search?${new URLSearchParams({ q: level.word, from: String(fromEpoch) })}`}
                />
              ))}
            </LevelList>
          )}
          {tags.length > 0 && (
            <LevelList title="Tags">
              {tags.map((level) => (
                <Level
                  key={level.tagID}
                  level={level}
                  text={level.tagName}
                  href={`/clips?tag=${level.tagID}&when=day`}
                />
              ))}
            </LevelList>
          )}
        </>
      )}
      <p class="day-note">
        {isPart
          ? `Compared: a sample of ${countText(sampledClipCount, 'clip')} of this day and ${countText(earlierClipCount, 'clip')} of the seven days before.`
          : `Compared with ${countText(earlierClipCount, 'clip')} of the seven days before.`}
      </p>
    </div>
  );
}

function LevelList({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="level-list">
      <h4>{title}</h4>
      <ul class="levels">{children}</ul>
    </div>
  );
}

interface LevelProps {
  readonly level: WordLevel | TagLevel;
  readonly text: string;
  readonly href: string;
}

function Level({ level, text, href }: LevelProps) {
  return (
    <li>
      <a class="level" href={href}>
        <UserText text={text} />{' '}
        <span class="quiet">
          {countText(level.clipCount, 'clip')}, {usualText(level)}
        </span>
      </a>
    </li>
  );
}
