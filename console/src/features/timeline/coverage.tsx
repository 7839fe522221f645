import type { Coverage } from '@earshot/contract/audio-clip-coverage';
import type { Device } from '@earshot/contract/device';
import { WhenLoaded } from '../../app/loaded.tsx';
import type { Loaded } from '../../app/query.ts';
import { durationText } from '../../ui/duration.ts';
import { Given, Section } from '../../ui/bits.tsx';
import { Button } from '../../ui/button.tsx';
import { askForUpload, counted } from '../audio-clip/actions.ts';
import { canBeAskedFor } from '../audio-clip/state.ts';
import { nameOf } from '../device/data.ts';
import { statusOf } from './lane-data.ts';
import type { Lane } from './lane.ts';

interface CoverageOfProps {
  readonly devices: readonly Device[];
  readonly lanes: readonly Lane[];
  readonly coverages: readonly Loaded<Coverage>[];
  readonly when: string;
}

/** How much of the time range is available, recorded and not recorded. */
export function CoverageOf({ devices, lanes, coverages, when }: CoverageOfProps) {
  return (
    <Section title="Coverage" count={when}>
      <ul class="rows">
        {devices.map((device, index) => (
          <li key={device.key} class="coverage">
            {devices.length > 1 && (
              <h3>
                <Given text={nameOf(device)} />
              </h3>
            )}
            <WhenLoaded from={coverages[index] ?? { data: undefined, error: undefined }} rows={1}>
              {(coverage) => <Figures coverage={coverage} lane={lanes[index]!} name={nameOf(device)} />}
            </WhenLoaded>
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface FiguresProps {
  readonly coverage: Coverage;
  readonly lane: Lane;
  readonly name: string;
}

function Figures({ coverage, lane, name }: FiguresProps) {
  const { recordedSeconds, availableSeconds, missingSeconds, clipCount, gaps } = coverage;
  void lane.state.value.version;
  const { data, deviceID } = lane;
  const away = [...data.keys].filter((_key, index) => canBeAskedFor(statusOf(data.flags[index]!)));
  const whole = recordedSeconds + missingSeconds || 1;
  const percent = (seconds: number) => `${Math.round((seconds / whole) * 1_000) / 10} %`;
  const parts = [
    { kind: 'here', label: 'Available', seconds: availableSeconds },
    { kind: 'away', label: 'Recorded, not available', seconds: Math.max(0, recordedSeconds - availableSeconds) },
    { kind: 'missing', label: 'Not recorded', seconds: missingSeconds },
  ];
  const gapText = gaps.length === 0 ? 'no gaps' : counted(gaps.length, 'gap');
  return (
    <>
      <div class="coverage-bar" aria-hidden="true">
        {parts.map(({ kind, seconds }) => (
          <span key={kind} class={kind} style={{ flexGrow: String(seconds / whole) }} />
        ))}
      </div>
      <dl class="coverage-figures" aria-label={`Coverage of ${name}`}>
        {parts.map(({ kind, label, seconds }) => (
          <div key={kind} class={kind}>
            <dt>{label}</dt>
            <dd>
              <strong>{durationText(seconds * 1_000)}</strong> <span class="quiet">{percent(seconds)}</span>
            </dd>
          </div>
        ))}
      </dl>
      <div class="coverage-end">
        <p class="quiet">
          {counted(clipCount, 'clip')}, {gapText}
        </p>
        {away.length > 0 && (
          <Button small icon="upload" onClick={() => void askForUpload(deviceID, away)}>
            Request missing uploads ({away.length.toLocaleString('en')})
          </Button>
        )}
      </div>
    </>
  );
}
