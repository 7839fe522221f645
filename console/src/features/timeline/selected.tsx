import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Device } from '@earshot/contract/device';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { Button, LinkButton } from '../../lib/ui/button.tsx';
import { dayAndTime, dayText, timeText, viewerZone } from '../../lib/ui/clock.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { durationText } from '@earshot/contract/duration-text';
import { requestUpload } from '@earshot/contract/audio-clip';
import { UserText } from '../../lib/ui/elements.tsx';
import { requestUploads, canRequestUpload } from '../audio-clip/public.ts';
import { ExportDialog } from '../audio-clip/public.tsx';
import { nameOf } from '../device/public.ts';
import { may } from '../right/public.ts';
import { laneStatus } from './lane-data.ts';
import type { Lane } from './lane.ts';
import type { TimelineModel } from './model.ts';
import { minuteText } from './range.ts';

interface SelectedProps {
  readonly model: TimelineModel;
  readonly devices: readonly Device[];
  readonly lanes: readonly Lane[];
  readonly zone: string;
}

/** Actions for the selected time range. */
export function Selected({ model, devices, lanes, zone }: SelectedProps) {
  const [exporting, setExporting] = useState(false);
  const { selected } = model;
  const lane = selected && lanes[selected.lane];
  const device = selected && devices[selected.lane];
  if (!selected || !lane || !device) return null;
  void lane.state.value.version;
  const { from, to } = selected;
  const { data, deviceID } = lane;
  const clips = data.within(from, to);
  const sound = clips.filter((index) => laneStatus(data.flags[index]!) === audioClipStatus.available);
  const away = clips.filter((index) => canRequestUpload(laneStatus(data.flags[index]!)));
  const first = sound[0] ?? clips[0];
  const isOneDay = dayText(from, zone) === dayText(to, zone);
  const when = `${dayAndTime(from, zone)} – ${isOneDay ? timeText(to, zone, true) : dayAndTime(to, zone)}`;
  const list = new URLSearchParams({
    device: String(deviceID),
    from: minuteText(from, viewerZone()),
    to: minuteText(to + 59_999, viewerZone()),
  });
  return (
    <section class="card padded timeline-selected" aria-label="Selected time">
      <div>
        <p>
          <strong>{when}</strong>
          {devices.length > 1 && (
            <>
              {' '}
              <UserText text={nameOf(device)} />
            </>
          )}
        </p>
        <p class="quiet">
          {durationText(to - from)}, {countText(clips.length, 'clip')}, {sound.length} available
          {clips.length > 0 && (
            <>
              {' · '}
              <a href={`/clips?${list.toString()}`}>show as list</a>
            </>
          )}
        </p>
      </div>
      <div class="selection-actions">
        {first !== undefined && (
          <LinkButton kind="primary" icon="play" href={`/clips/${data.keys[first]}`}>
            Play
          </LinkButton>
        )}
        {sound.length > 0 && (
          <Button icon="download" onClick={() => setExporting(true)}>
            Export
          </Button>
        )}
        {away.length > 0 && may(requestUpload, { deviceID }) && (
          <Button
            icon="upload"
            onClick={() =>
              void requestUploads(
                deviceID,
                away.map((index) => data.keys[index]!),
              )
            }
          >
            Request upload of {countText(away.length, 'clip')}
          </Button>
        )}
        <Button kind="quiet" icon="close" label="Clear selection" onClick={() => (model.selection.value = undefined)} />
      </div>
      {exporting && (
        <ExportDialog
          title="Export selected time"
          about={
            `${durationText(to - from)} of ${nameOf(device)} as one file, with the audio of ${countText(sound.length, 'clip')}.` +
            (sound.length < clips.length
              ? ` ${countText(clips.length - sound.length, 'clip')} without available audio will be left out.`
              : '')
          }
          parts={[
            {
              label: `${nameOf(device)}, ${when}`,
              send: ({ format, gaps }) =>
                api.exportAudioClips({
                  body: {
                    deviceID,
                    startEpoch: Math.floor(from / 1_000),
                    endEpoch: Math.ceil(to / 1_000),
                    format,
                    gaps,
                  },
                }),
            },
          ]}
          onClose={() => setExporting(false)}
        />
      )}
    </section>
  );
}
