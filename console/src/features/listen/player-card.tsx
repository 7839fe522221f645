import { signal } from '@preact/signals';
import type { AudioClip } from '@earshot/contract/audio-clip';
import { useEffect } from 'preact/hooks';
import { hasUnsaved, mayLeave } from '../../lib/leaving.ts';
import { navigate, setQuery } from '../../lib/location.ts';
import type { PlayRange } from '../../lib/player.ts';
import { player } from '../../lib/player.ts';
import { useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { positionText } from '../../lib/ui/times.ts';
import { isAvailable, startOf } from '../audio-clip/public.ts';
import { PlayButton, PlayPosition, Speed, Toggle } from './controls.tsx';
import { neighboursOf, useCaption, waveformOf } from './data.ts';
import { attachPlayerKeys } from './keys.ts';
import { Loudness } from './loudness.tsx';
import { PrefetchClip } from './prefetch-clip.tsx';
import type { PlacedTag } from './tags.tsx';
import { WaveformView } from './waveform.tsx';
import type { Line } from './words.ts';
import { lastStartedLine, linesOf, stepLine, stepWord, wordOf } from './words.ts';

/** Whether playback continues with the next clip. Kept until the tab closes. */
const continues = signal(false);

interface PlayerCardProps {
  readonly clip: AudioClip;
  /** Time zone of the device. */
  readonly zone: string | undefined;
  readonly tags: readonly PlacedTag[];
}

export function PlayerCard({ clip, zone, tags }: PlayerCardProps) {
  const { key = 0 } = clip;
  const { data: peaks } = useQuery(waveformOf(clip));
  const { data: caption } = useCaption(clip);
  const { data: around } = useQuery(neighboursOf(clip));
  const durationMs = player.durationMs.value || peaks?.durationMs || (clip.clipLengthInSeconds ?? 0) * 1_000;
  // A correction that is not saved keeps the page open.
  const goesOn = continues.value && !hasUnsaved.value;
  const following = goesOn && isAvailable(around?.next) ? around?.next : undefined;
  const loop = player.loop.value;

  const move = (which: 'next' | 'previous') => {
    const other = around?.[which];
    if (other) goOn(other);
  };
  const toggleLoop = () =>
    player.setLoop(player.loop.peek() ? undefined : chosenRange(caption ? linesOf(caption) : []));

  useEffect(() => {
    player.prepare(following?.key);
    player.onNext = (clipID) => navigate(`/clips/${clipID}`, 'replace');
  }, [following?.key]);
  // What follows on another page is not shown there.
  useEffect(
    () => () => {
      player.onNext = undefined;
      player.prepare(undefined);
    },
    [],
  );
  useEffect(() => {
    const lines = caption ? linesOf(caption) : [];
    const seek = (ms: number | undefined) => ms !== undefined && player.seek(ms);
    const word = (step: 1 | -1) => seek(stepWord(lines, player.ms, step));
    const sentence = (step: 1 | -1) => seek(stepLine(lines, player.ms, step));
    return attachPlayerKeys({ word, sentence, loop: toggleLoop, clip: move });
  }, [caption, around]);

  return (
    <section class="player card" aria-label="Player">
      <WaveformView peaks={peaks} durationMs={durationMs} tags={tags} />
      {player.hasFailed.value && (
        <p class="alert" role="alert">
          The audio could not be played. It may have been deleted, or your browser does not support its format. You can
          download it instead.
        </p>
      )}
      <div class="controls">
        <div class="controls-main">
          <Skip which="previous" to={around?.previous} />
          <PlayButton />
          <Skip which="next" to={around?.next} />
          <PlayPosition startMs={startOf(clip)} zone={zone} durationMs={durationMs} />
        </div>
        <div class="controls-more">
          <Toggle
            icon="loop"
            label={loop ? `${positionText(loop.fromMs)}–${positionText(loop.toMs)}` : 'Repeat'}
            name={loop ? `Repeat ${positionText(loop.fromMs)}–${positionText(loop.toMs)}` : 'Repeat'}
            hint="Repeat the selection or the current sentence (l)"
            on={loop !== undefined}
            onChange={toggleLoop}
          />
          <Toggle
            icon="forward"
            label="Continue"
            hint="Continue with the next clip of the device without a gap"
            on={continues.value}
            onChange={() => (continues.value = !continues.value)}
          />
          <Button
            small
            kind="quiet"
            icon="link"
            label="Copy link to this position"
            onClick={() => void copyLink(key)}
          />
          <Loudness />
          <Speed />
        </div>
      </div>
      {around?.next && <PrefetchClip clip={around.next} />}
    </section>
  );
}

function Skip({ which, to }: { readonly which: 'next' | 'previous'; readonly to: AudioClip | undefined }) {
  const label = which === 'next' ? 'Next clip' : 'Previous clip';
  return (
    <Button
      kind="quiet"
      icon={which === 'next' ? 'skipOn' : 'skipBack'}
      label={label}
      busy={to === undefined}
      onClick={() => to && goOn(to)}
    />
  );
}

/** Opens another clip. Playback continues if it was running. */
function goOn(clip: AudioClip): void {
  const { key = 0 } = clip;
  if (!mayLeave(() => goOn(clip))) return;
  const wasPlaying = player.isPlaying.peek();
  if (isAvailable(clip)) player.open(key);
  if (isAvailable(clip) && wasPlaying) player.play();
  navigate(`/clips/${key}`);
}

/** The selected words, else the current line, else the next five seconds. */
function chosenRange(lines: readonly Line[]): PlayRange {
  const selection = getSelection();
  if (selection && !selection.isCollapsed) {
    const chosen = [...document.querySelectorAll<HTMLElement>('.transcript .word')]
      .filter((element) => selection.containsNode(element, true))
      .map((element) => wordOf(lines, Number(element.dataset['w'])))
      .filter((word) => word !== undefined);
    if (chosen.length > 0) return { fromMs: chosen[0]!.startMs, toMs: chosen.at(-1)!.endMs };
  }
  const { ms } = player;
  const line = lines[lastStartedLine(lines, ms)];
  return line && ms <= line.endMs + 500 ? { fromMs: line.startMs, toMs: line.endMs } : { fromMs: ms, toMs: ms + 5_000 };
}

/** Where the browser does not allow copying (plain HTTP), the link is put into the address bar. */
async function copyLink(clipID: number): Promise<void> {
  const second = (player.ms / 1_000).toFixed(1).replace(/\.0$/, '');
  try {
    await navigator.clipboard.writeText(`${location.origin}/clips/${clipID}?t=${second}`);
    showToast(`Link to ${positionText(player.ms)} copied.`);
  } catch {
    setQuery({ t: second });
    showToast('Copy the link from the address bar: it now points to this position.');
  }
}
