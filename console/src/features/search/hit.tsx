import type { CaptionHit } from '@earshot/contract/caption-search';
import { useEffect, useRef } from 'preact/hooks';
import { player } from '../../lib/player.ts';
import { markParts } from '../../lib/search-match.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { Hued } from '../../lib/ui/hued.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { dayAndMinute } from '../../lib/ui/clock.ts';
import { positionText } from '../../lib/ui/times.ts';
import { isAvailable, startOf } from '../audio-clip/public.ts';
import { CallSummary } from '../talkgroup/public.tsx';
import { firstMs, listenAddress, markedText } from './listen-address.ts';

interface HitRowProps {
  readonly hit: CaptionHit;
  readonly searchText: string;
  readonly wholeWords?: boolean | undefined;
}

export function HitRow({ hit, searchText, wholeWords }: HitRowProps) {
  const { key = 0, deviceName, tagList, snippet, radioCall } = hit;
  const isOpen = player.clipID.value === key;
  const start = startOf(hit);
  const begin = dayAndMinute(new Date(start).getTime());
  const name = `${deviceName}, ${begin}`;
  return (
    <li class={isOpen ? 'hit open' : 'hit'}>
      <div class="hit-play">
        <HitPlay hit={hit} name={name} isOpen={isOpen} />
      </div>
      <div class="hit-main">
        <a class="hit-link" href={listenAddress(hit, searchText)}>
          <span class="hit-snippet" dir="auto">
            {markParts(snippet, markedText(hit, searchText), wholeWords ? 'words' : 'parts').map(
              ({ text, isMatch }, at) => (isMatch ? <mark key={at}>{text}</mark> : text),
            )}
          </span>
        </a>
        <p class="hit-under">
          <UserText text={deviceName} />
          {radioCall && <CallSummary call={radioCall} />}
          <span>{begin}</span>
          <Time date={start} />
          {tagList.slice(0, 4).map(({ key: tagID, tagName }) => (
            <Hued key={tagID} text={tagName} />
          ))}
        </p>
        <HitReason hit={hit} searchText={searchText} />
        {isOpen && <HitPlayer hit={hit} searchText={searchText} />}
      </div>
    </li>
  );
}

/** Why a clip is a hit that does not contain the words as they were typed. */
function HitReason({ hit, searchText }: HitRowProps) {
  const { similarWords = [], vocabularyWords = [], nextAudioClipID } = hit;
  if (nextAudioClipID !== undefined) {
    return (
      <p class="hit-reason">
        The words continue in{' '}
        <a href={`/clips/${nextAudioClipID}?${new URLSearchParams({ q: searchText })}`}>the next clip</a>.
      </p>
    );
  }
  if (similarWords.length + vocabularyWords.length === 0) return null;
  return (
    <p class="hit-reason">
      <HitWords label={similarWords.length === 1 ? 'Similar word' : 'Similar words'} words={similarWords} />
      {similarWords.length > 0 && vocabularyWords.length > 0 && '; '}
      <HitWords label="Other form in the vocabulary" words={vocabularyWords} />
    </p>
  );
}

function HitWords({ label, words }: { readonly label: string; readonly words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <>
      {label}: <UserText text={words.map((word) => `“${word}”`).join(', ')} />
    </>
  );
}

interface HitPlayProps {
  readonly hit: CaptionHit;
  readonly name: string;
  readonly isOpen: boolean;
}

/** The same button before and during playback, so that it keeps the focus. */
function HitPlay({ hit, name, isOpen }: HitPlayProps) {
  const isPlaying = isOpen && player.isPlaying.value;
  const text = isPlaying ? 'Pause' : isOpen ? 'Play' : 'Play from here';
  const play = () => {
    if (isOpen) return player.toggle();
    player.open(hit.key ?? 0, firstMs(hit));
    player.play();
  };
  return (
    <button
      class="play-button"
      type="button"
      aria-label={`${text}: ${name}`}
      title={isAvailable(hit) ? text : 'The audio is not available'}
      aria-disabled={isAvailable(hit) ? undefined : 'true'}
      onClick={isAvailable(hit) ? play : undefined}
    >
      <Icon name={isPlaying ? 'pause' : 'play'} />
    </button>
  );
}

const mostMoments = 12;

/** A small player: position, and a button for each match. */
function HitPlayer({ hit, searchText }: HitRowProps) {
  const bar = useRef<HTMLInputElement>(null);
  const now = useRef<HTMLSpanElement>(null);
  const moments = useRef<HTMLUListElement>(null);
  const durationMs = player.durationMs.value || (hit.clipLengthInSeconds ?? 0) * 1_000;
  const matches = hit.matches.slice(0, mostMoments);

  useEffect(
    () =>
      player.onFrame((ms) => {
        if (now.current) now.current.textContent = positionText(ms);
        if (bar.current) {
          bar.current.value = String(ms);
          bar.current.setAttribute('aria-valuetext', `${positionText(ms)} of ${positionText(durationMs)}`);
        }
        for (const [at, element] of [...(moments.current?.querySelectorAll('button') ?? [])].entries()) {
          const match = matches[at];
          element.classList.toggle('lit', match !== undefined && match.startMs <= ms && ms < match.endMs + 200);
        }
      }),
    [hit, durationMs],
  );

  if (player.hasFailed.value) {
    return (
      <p class="problem" role="alert">
        The audio could not be played.
      </p>
    );
  }
  return (
    <div class="hit-player">
      <span class="hit-now" ref={now} />
      <input
        ref={bar}
        type="range"
        min={0}
        max={durationMs}
        step={100}
        aria-label="Position in the clip"
        onInput={({ currentTarget }) => player.seek(Number(currentTarget.value))}
      />
      <span class="quiet">{positionText(durationMs)}</span>
      <ul class="moments" ref={moments} aria-label="Matches in this clip">
        {matches.map(({ startMs, word }, at) => (
          <li key={at}>
            <button type="button" class="moment" onClick={() => player.seek(startMs)}>
              <UserText text={word} /> <span class="chip-time">{positionText(startMs)}</span>
            </button>
          </li>
        ))}
      </ul>
      <a class="hit-more" href={listenAddress(hit, searchText)}>
        Open clip
      </a>
    </div>
  );
}
