import type { AudioClip } from '@earshot/contract/audio-clip';
import type { Device } from '@earshot/contract/device';
import { updateAudioClipRecording } from '@earshot/contract/audio-clip-recording';
import { useEffect, useRef, useState } from 'preact/hooks';
import { openedFrom } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { dayAndMinute } from '../../lib/ui/clock.ts';
import { PageHead, UserText } from '../../lib/ui/elements.tsx';
import { isElsewhere, timeOfDay } from '../../lib/ui/times.ts';
import { startOf } from '../audio-clip/public.ts';
import { nameOf } from '../device/public.ts';
import { may } from '../right/public.ts';
import { talkgroupText } from '../talkgroup/public.ts';
import { listedClip, recordingOf } from './data.ts';
import { TitleForm } from './title-form.tsx';

interface ListenHeadProps {
  readonly clip: AudioClip;
  readonly device: Device | undefined;
}

/** The pages from which clips are opened, and to which the link above the title leads. */
const origins: readonly (readonly [path: RegExp, label: string])[] = [
  [/^\/$/, 'Overview'],
  [/^\/search$/, 'Search'],
  [/^\/timeline$/, 'Timeline'],
  [/^\/devices\/\d+$/, 'Device'],
  [/^\/alerts\/\d+$/, 'Alert'],
  [/^\/rules\/\d+$/, 'Rule'],
];

function backOf(from: string): { readonly href: string; readonly label: string } {
  const label = origins.find(([path]) => path.test(from))?.[1];
  return label === undefined ? { href: '/clips', label: 'Clips' } : { href: from, label };
}

/** A clip is called by its title, a radio call by its talkgroup. Without one, by device and time. */
export function ListenHead({ clip, device }: ListenHeadProps) {
  const { key = 0, deviceID = 0 } = clip;
  const { data: recording } = useQuery(recordingOf(key));
  const { data: listed } = useQuery(listedClip(clip));
  const call = listed?.radioCall;
  const isCall = call !== undefined;
  const given = isCall ? undefined : recording?.title;
  const title = call ? talkgroupText(call) : given;
  const begin = new Date(startOf(clip));
  const isSameTime = !isElsewhere(begin, device?.timeZone);
  const mayEdit =
    may(updateAudioClipRecording, { deviceID }) && !isCall && recording !== undefined && listed !== undefined;
  const { isEditing, actions, close } = useEditing(mayEdit, given);
  const whose = (
    <>
      <a class="plain" href={`/devices/${deviceID}`}>
        <UserText text={device ? nameOf(device) : `Device ${deviceID}`} />
      </a>
      , {dayAndMinute(begin.getTime())}
    </>
  );
  return (
    <PageHead
      back={backOf(openedFrom())}
      title={title === undefined ? whose : <UserText text={title} />}
      editor={isEditing && <TitleForm clipID={key} title={given ?? ''} onClose={close} />}
      actions={actions}
      under={
        (title !== undefined || !isSameTime) && (
          <>
            {title !== undefined && <span>{whose}</span>}
            {!isSameTime && (
              <span>
                {timeOfDay(begin, device?.timeZone)} device time ({device?.timeZone})
              </span>
            )}
          </>
        )
      }
    />
  );
}

/** The button that opens the editor of the title. The focus returns to it. */
function useEditing(mayEdit: boolean, title: string | undefined) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLSpanElement>(null);
  const wasOpen = useRef(false);
  const isEditing = isOpen && mayEdit;
  useEffect(() => {
    if (wasOpen.current && !isEditing) place.current?.querySelector('button')?.focus();
    wasOpen.current = isEditing;
  }, [isEditing]);
  const actions = mayEdit && !isEditing && (
    <span ref={place}>
      <Button small kind="quiet" icon="edit" onClick={() => setOpen(true)}>
        {title === undefined ? 'Add a title' : 'Rename'}
      </Button>
    </span>
  );
  return { isEditing, actions, close: () => setOpen(false) };
}
