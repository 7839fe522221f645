import { gains } from '../../lib/player-gain.ts';
import { player } from '../../lib/player.ts';

/** Quiet sound made louder. */
export function Loudness() {
  const gain = player.gain.value;
  return (
    <select
      class="input speed"
      aria-label="Loudness"
      title="Makes quiet sound louder"
      onChange={({ currentTarget }) => player.setGain(Number(currentTarget.value))}
    >
      {gains.map((value) => (
        <option key={value} value={value} selected={value === gain}>
          {value === 1 ? 'Volume' : `${value}× louder`}
        </option>
      ))}
    </select>
  );
}
