import { useEffect, useRef } from 'preact/hooks';
import { player, rates } from '../../lib/player.ts';
import type { IconName } from '../../lib/ui/icon.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { positionText, isElsewhere, timeOfDay } from '../../lib/ui/times.ts';

interface ToggleProps {
  readonly icon: IconName;
  readonly label: string;
  readonly hint: string;
  readonly on: boolean;
  /** For screen readers, where the visible text is too short. */
  readonly name?: string;
  readonly onChange: () => void;
}

export function Toggle({ icon, label, hint, on, name, onChange }: ToggleProps) {
  return (
    <button
      class="button quiet small toggle"
      type="button"
      aria-pressed={on}
      aria-label={name}
      title={hint}
      onClick={onChange}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  );
}

export function PlayButton({ label = '' }: { readonly label?: string }) {
  const isPlaying = player.isPlaying.value;
  const text = `${isPlaying ? 'Pause' : 'Play'}${label}`;
  return (
    <button
      class="play-button"
      type="button"
      aria-label={text}
      title={`${text} (space)`}
      onClick={() => player.toggle()}
    >
      <Icon name={isPlaying ? 'pause' : 'play'} />
    </button>
  );
}

interface PositionProps {
  readonly startMs: number;
  /** Time zone of the device. */
  readonly zone: string | undefined;
  readonly durationMs: number;
}

/** Position in the clip and time of day. Written to the DOM on every frame, without rendering components. */
export function PlayPosition({ startMs, zone, durationMs }: PositionProps) {
  const place = useRef<HTMLSpanElement>(null);
  const world = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    let [shown, shownWorld] = ['', ''];
    return player.onFrame((ms) => {
      const text = positionText(ms, true);
      if (text !== shown && place.current) place.current.textContent = text;
      shown = text;
      const moment = new Date(startMs + ms);
      const there = isElsewhere(moment, zone) ? ` (${timeOfDay(moment, zone)} device time)` : '';
      const time = `${timeOfDay(moment)}${there}`;
      if (time !== shownWorld && world.current) world.current.textContent = time;
      shownWorld = time;
    });
  }, [startMs, zone]);
  return (
    <p class="position">
      <span class="position-now">
        <span ref={place} /> <span class="quiet">/ {positionText(durationMs)}</span>
      </span>
      <span class="position-world quiet" ref={world} title="Time of day at this position: your time and device time" />
    </p>
  );
}

export function Speed() {
  const rate = player.rate.value;
  return (
    <select
      class="input speed"
      aria-label="Speed"
      title="Speed (+ and −)"
      onChange={({ currentTarget }) => player.setRate(Number(currentTarget.value))}
    >
      {rates.map((value) => (
        <option key={value} value={value} selected={value === rate}>
          {value} ×
        </option>
      ))}
    </select>
  );
}
