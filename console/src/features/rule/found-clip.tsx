import type { ComponentChildren } from 'preact';
import { player } from '../../lib/player.ts';
import { markParts } from '../../lib/search-match.ts';
import { dayAndTime } from '../../lib/ui/clock.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';

interface FoundClipProps {
  readonly clip: {
    readonly audioClipID?: number;
    readonly startTime?: number;
    readonly startTimeMs?: number;
    readonly fromMs?: number;
    readonly text?: string;
  };
  readonly deviceName: string;
  /** Marked in the text. */
  readonly words: string;
  /** Further facts below the text. */
  readonly under?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A clip that a rule found: plays in place from where the words are said, and leads to its page. */
export function FoundClipRow({ clip, deviceName, words, under, children }: FoundClipProps) {
  const { audioClipID = 0, startTime = 0, startTimeMs = 0, fromMs = 0, text } = clip;
  const start = startTime * 1_000 + startTimeMs;
  const isOpen = player.clipID.value === audioClipID;
  const isPlaying = isOpen && player.isPlaying.value;
  const name = `${deviceName}, ${dayAndTime(start)}`;
  const play = () => {
    if (isOpen) return player.toggle();
    player.open(audioClipID, fromMs);
    player.play();
  };
  const query = new URLSearchParams({ t: String(fromMs / 1_000), ...(words === '' ? {} : { q: words }) });
  return (
    <li class={isOpen ? 'hit open' : 'hit'}>
      <div class="hit-play">
        <button
          class="play-button"
          type="button"
          aria-label={`${isPlaying ? 'Pause' : 'Play'}: ${name}`}
          title={isPlaying ? 'Pause' : 'Play'}
          onClick={play}
        >
          <Icon name={isPlaying ? 'pause' : 'play'} />
        </button>
      </div>
      <div class="hit-main">
        <a class="hit-link" href={`/clips/${audioClipID}?${query}`}>
          <span class="hit-snippet" dir="auto">
            {text ? <Marked text={text} words={words} /> : 'No words'}
          </span>
        </a>
        <p class="hit-under">
          <UserText text={deviceName} />
          <span>{dayAndTime(start)}</span>
          <Time date={start} />
          {under}
        </p>
        {isOpen && player.hasFailed.value && (
          <p class="problem" role="alert">
            The sound could not be played. It may not be on the server.
          </p>
        )}
        {children}
      </div>
    </li>
  );
}

/** Without words to mark, `markParts` marks nothing. */
const Marked = ({ text, words }: { readonly text: string; readonly words: string }) => (
  <>
    {markParts(text, words, 'words').map(({ text: part, isMatch }, at) =>
      isMatch ? <mark key={at}>{part}</mark> : part,
    )}
  </>
);
