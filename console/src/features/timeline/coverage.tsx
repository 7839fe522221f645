import type { Coverage } from '@earshot/contract/audio-clip-coverage';
import type { Device } from '@earshot/contract/device';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Loaded } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { durationText } from '@earshot/contract/duration-text';
import { requestUpload } from '@earshot/contract/audio-clip';
import { UserText, Section } from '../../lib/ui/elements.tsx';
import { requestUploads, canRequestUpload } from '../audio-clip/public.ts';
import { nameOf } from '../device/public.ts';
import { may } from '../right/public.ts';
import { gapText } from './continuous.ts';
import { laneStatus } from './lane-data.ts';
import type { Lane } from './lane.ts';

interface CoverageSectionProps {
  readonly devices: readonly Device[];
  readonly lanes: readonly Lane[];
  readonly coverages: readonly Loaded<Coverage>[];
  readonly when: string;
}

/** How much of the time range is available, recorded and without a recording. */
export function CoverageSection({ devices, lanes, coverages, when }: CoverageSectionProps) {
  return (
    <Section title="Coverage" count={when}>
      <ul class="rows">
        {devices.map((device, index) => (
          <li key={device.key} class="coverage">
            {devices.length > 1 && (
              <h3>
                <UserText text={nameOf(device)} />
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
  const away = [...data.keys].filter((_key, index) => canRequestUpload(laneStatus(data.flags[index]!)));
  const whole = recordedSeconds + missingSeconds || 1;
  const percent = (seconds: number) => `${Math.round((seconds / whole) * 1_000) / 10} %`;
  const { isContinuous } = data;
  const parts = [
    { kind: 'here', label: 'Available', seconds: availableSeconds },
    { kind: 'away', label: 'Recorded, not available', seconds: Math.max(0, recordedSeconds - availableSeconds) },
    { kind: isContinuous ? 'missing' : 'none', label: gapText(isContinuous), seconds: missingSeconds },
  ];
  // Between triggered recordings, gaps are normal and not worth a count.
  const gapCount = gaps.length === 0 ? ', no gaps' : isContinuous ? `, ${countText(gaps.length, 'gap')}` : ' in all';
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
          {countText(clipCount, 'clip')}
          {gapCount}
        </p>
        {away.length > 0 && may(requestUpload, { deviceID }) && (
          <Button small icon="upload" onClick={() => void requestUploads(deviceID, away)}>
            Request missing uploads ({away.length.toLocaleString('en')})
          </Button>
        )}
      </div>
    </>
  );
}
