import type { Rule } from '@earshot/contract/rule';
import { useState } from 'preact/hooks';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Loaded } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, Section } from '../../lib/ui/elements.tsx';
import { useRuleNames, searchWordsOf } from '../rule/public.ts';
import { MatchRow } from '../rule/public.tsx';
import type { AlertMatches } from './data.ts';
import { usePlayInOrder } from './play-in-order.ts';

interface AlertSoundsProps {
  readonly found: Loaded<AlertMatches>;
  readonly rule: Rule | undefined;
}

const rowsPerStep = 50;

/** What was said, in its order, and played so. */
export function AlertSounds({ found, rule }: AlertSoundsProps) {
  const [shown, setShown] = useState(rowsPerStep);
  const names = useRuleNames();
  const matches = found.data?.matches ?? [];
  const held = matches.filter(({ state }) => state === 'current');
  const { isPlaying, toggle } = usePlayInOrder(held.flatMap(({ audioClipID }) => audioClipID ?? []));
  const isOfState = rule?.when?.state !== undefined || matches.some(({ audioClipID }) => audioClipID === undefined);
  return (
    <Section
      title={isOfState ? 'Devices' : 'Sounds'}
      count={found.data?.hasMore ? `the newest ${matches.length}` : matches.length}
      action={
        held.length > 0 &&
        !isOfState && (
          <Button small icon={isPlaying ? 'pause' : 'play'} onClick={toggle}>
            {isPlaying ? 'Pause' : 'Play all in order'}
          </Button>
        )
      }
    >
      <WhenLoaded from={found} rows={3}>
        {() =>
          matches.length === 0 ? (
            <Empty icon="wave" title="No sounds">
              None of its clips can be seen any more.
            </Empty>
          ) : (
            <ol class="hits">
              {matches.slice(0, shown).map((match) => (
                <MatchRow
                  key={match.key}
                  match={match}
                  words={searchWordsOf(rule?.when)}
                  rule={rule}
                  names={names}
                  isInAlert
                />
              ))}
            </ol>
          )
        }
      </WhenLoaded>
      {matches.length > shown && (
        <div class="more">
          <Button onClick={() => setShown(shown + rowsPerStep)}>Show more</Button>
        </div>
      )}
    </Section>
  );
}
