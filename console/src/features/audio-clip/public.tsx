import type { AudioClipWithNames } from '@earshot/contract/audio-clip';
import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { exportFormats } from '@earshot/contract/audio-clip-join';
import type { Event } from '@earshot/contract/event';
import { signal } from '@preact/signals';
import { ApiForm } from '../../lib/api-form.tsx';
import { useQuery } from '../../lib/query.ts';
import { onSignOut } from '../../lib/session.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { durationText } from '../../lib/ui/duration.ts';
import { Badge, UserText, Progress } from '../../lib/ui/elements.tsx';
import { SelectField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { hasEnded, oneEvent } from '../event/public.ts';
import { Download, EventStateBadge, fileOf } from '../event/public.tsx';
import { clipStateOf, lengthMsOf } from './public.ts';

interface ClipRowProps {
  readonly clip: AudioClipWithNames & Pick<PagedAudioClip, 'soundMs' | 'title' | 'radioCall'>;
  readonly zone?: string | undefined;
  readonly withoutDevice?: boolean;
}

export function ClipRow({ clip, zone, withoutDevice = false }: ClipRowProps) {
  const { text, tone } = clipStateOf(clip);
  const time = <Time date={(clip.startTime ?? 0) * 1_000} zone={zone} />;
  return (
    <li class="row">
      <a class="row-link slim" href={`/clips/${clip.key}`}>
        <span class={`row-icon ${tone === 'idle' ? '' : tone}`}>
          <Icon name="wave" />
        </span>
        <span class="row-main">
          <span class="row-title">{withoutDevice ? time : <UserText text={clip.deviceName} />}</span>
          <span class="row-under">
            {!withoutDevice && time}
            {!clip.radioCall && clip.title !== undefined && <UserText text={clip.title} />}
            <span>{durationText(lengthMsOf(clip))} long</span>
          </span>
        </span>
        <span class="row-facts">
          <Badge tone={tone}>{text}</Badge>
        </span>
      </a>
    </li>
  );
}

interface Export {
  readonly eventID: number;
  /** Describes the content, such as device and time. */
  readonly label: string;
}

/** Exports started in this tab. The list is lost when the tab closes; the events remain. */
const exports = signal<readonly Export[]>([]);
onSignOut(() => (exports.value = []));

export function followExport({ key: eventID = 0 }: Event, label: string): void {
  exports.value = [{ eventID, label }, ...exports.peek()].slice(0, 5);
}

export function Exports() {
  if (exports.value.length === 0) return null;
  return (
    <section class="exports card" aria-label="Exports">
      <ul class="rows" aria-live="polite">
        {exports.value.map((made) => (
          <ExportRow key={made.eventID} {...made} />
        ))}
      </ul>
    </section>
  );
}

function ExportRow({ eventID, label }: Export) {
  const { data: event = { key: eventID } } = useQuery(oneEvent(eventID));
  const fileID = fileOf(event);
  const close = () => (exports.value = exports.peek().filter((made) => made.eventID !== eventID));
  return (
    <li class="row export">
      <div class="row-body slim">
        <span class="row-main">
          <span class="row-title">
            <UserText text={label} />
          </span>
          <span class="row-under">
            {hasEnded(event) && fileID === undefined && <UserText text={event.result} />}
            {fileID !== undefined && <span>Available for download for a week</span>}
          </span>
          {!hasEnded(event) && (
            <Progress value={event.percentComplete ?? 0} label={`Progress of the export ${label}`} />
          )}
        </span>
        <span class="row-facts">
          {fileID === undefined ? <ExportState event={event} /> : <Download fileID={fileID} />}
        </span>
      </div>
      <span class="row-actions">
        <Button small kind="quiet" icon="close" label={`Dismiss ${label}`} onClick={close} />
      </span>
    </li>
  );
}

const ExportState = ({ event }: { readonly event: Event }) =>
  hasEnded(event) ? (
    <a href={`/events/${event.key}`}>
      <EventStateBadge event={event} />
    </a>
  ) : (
    <Badge tone="busy">Joining</Badge>
  );

export interface ExportChoice {
  readonly format: (typeof exportFormats)[number];
  readonly gaps: 'silence' | 'close';
}

interface ExportDialogProps {
  readonly title: string;
  /** Describes what the export contains. */
  readonly about: string;
  /** Each part becomes one file. */
  readonly parts: readonly { readonly label: string; readonly send: (choice: ExportChoice) => Promise<Event> }[];
  readonly onClose: () => void;
}

const formatNames: Readonly<Record<ExportChoice['format'], string>> = {
  wav: 'WAV (uncompressed)',
  flac: 'FLAC (lossless, about half the size)',
  mp3: 'MP3 (plays everywhere)',
  opus: 'Opus (smallest file)',
};

export function ExportDialog({ title, about, parts, onClose }: ExportDialogProps) {
  const send = async ({ format = 'wav', gaps = 'silence' }: Values) => {
    const choice = { format, gaps } as ExportChoice;
    for (const part of parts) followExport(await part.send(choice), part.label);
    onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="quiet">{about}</p>
      <ApiForm submit="Export" onSend={send} onCancel={onClose}>
        <SelectField
          name="format"
          label="Format"
          value="wav"
          options={exportFormats.map((format) => ({ value: format, label: formatNames[format] }))}
        />
        <SelectField
          name="gaps"
          label="Gaps between clips"
          value="silence"
          options={[
            { value: 'silence', label: 'Keep as silence' },
            { value: 'close', label: 'Remove' },
          ]}
        />
      </ApiForm>
    </Dialog>
  );
}
