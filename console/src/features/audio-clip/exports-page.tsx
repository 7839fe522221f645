import type { SoundExport, SoundExports } from '@earshot/contract/audio-clip-export';
import { deleteFile } from '@earshot/contract/file';
import { isDeferred } from '../../lib/deferred.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { isAdmin, signedInUser } from '../../lib/session.ts';
import { Button, LinkButton } from '../../lib/ui/button.tsx';
import { dayAndTime, knownZone } from '../../lib/ui/clock.ts';
import { Badge, Empty, PageHead, UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { sizeText } from '../../lib/ui/size-text.ts';
import { Time } from '../../lib/ui/time.tsx';
import { allDevices, nameOf } from '../device/public.ts';
import { Download } from '../event/public.tsx';
import { may } from '../right/public.ts';
import { allUsers, userName } from '../user/public.ts';
import { dropExport, exportRecord, soundExports } from './export-data.ts';

export function ExportsPage() {
  const loaded = useQuery(soundExports);
  return (
    <>
      <PageHead
        title="Exports"
        back={{ href: '/clips', label: 'Clips' }}
        under={
          loaded.data && !isAdmin() ? <Limit data={loaded.data} /> : <span>In progress, and kept for a week.</span>
        }
      />
      <div class="card">
        <WhenLoaded from={loaded}>{(data) => <ExportList data={data} />}</WhenLoaded>
      </div>
    </>
  );
}

function ExportList({ data }: { readonly data: SoundExports }) {
  const exports = data.exports.filter((made) => !isDeferred(exportRecord(made)));
  if (exports.length === 0)
    return (
      <Empty icon="download" title="No exports" action={<LinkButton href="/timeline">Go to Timeline</LinkButton>}>
        Select a time range in the timeline of a device and choose Export: its sound becomes one file.
      </Empty>
    );
  return (
    <ul class="rows">
      {exports.map((made) => (
        <ExportLine key={made.eventID} made={made} />
      ))}
    </ul>
  );
}

function ExportLine({ made }: { readonly made: SoundExport }) {
  const { deviceID, userID, eventID, fileID, fileSize = 0, creationDate = '', removalDate } = made;
  const device = useQuery(allDevices).data?.find(({ key }) => key === deviceID);
  const name = device ? nameOf(device) : `device ${deviceID}`;
  const isOwn = userID === signedInUser().userID;
  return (
    <li class="row actions-below">
      <div class="row-body">
        <span class="row-icon">
          <Icon name="wave" />
        </span>
        <span class="row-main">
          <span class="row-title">
            <UserText text={name} />
          </span>
          <span class="row-under">
            <span>{rangeText(made, device?.timeZone)}</span>
            {!isOwn && <Maker userID={userID} />}
            <span>
              asked for <Time date={creationDate} />
            </span>
            {fileID !== undefined && <span>{sizeText(fileSize)}</span>}
            {removalDate && (
              <span>
                removed <Time date={removalDate} />
              </span>
            )}
          </span>
        </span>
        {fileID === undefined && (
          <span class="row-facts">
            <a href={`/events/${eventID}`}>
              <Badge tone="busy">In progress</Badge>
            </a>
          </span>
        )}
      </div>
      <span class="row-actions">
        {fileID !== undefined && <Download fileID={fileID} />}
        {(isOwn || may(deleteFile, { deviceID })) && (
          <Button
            small
            kind="quiet"
            icon={fileID === undefined ? 'close' : 'trash'}
            label={`${fileID === undefined ? 'Cancel' : 'Delete'} the export of ${name}`}
            onClick={() => dropExport(made, name)}
          />
        )}
      </span>
    </li>
  );
}

/** What was exported, such as `18 Nov, 10:00:00 – 10:05:00, WAV`. */
function rangeText({ startEpoch = 0, endEpoch = 0, format = '' }: SoundExport, zone: string | undefined): string {
  const [from = '', to = ''] = [startEpoch, endEpoch].map((epoch) => dayAndTime(epoch * 1_000, knownZone(zone)));
  const day = from.slice(0, from.lastIndexOf(' ') + 1);
  return `${from} – ${to.startsWith(day) ? to.slice(day.length) : to}, ${format.toUpperCase()}`;
}

function Maker({ userID }: { readonly userID: number | undefined }) {
  const person = useQuery(allUsers).data?.find(({ key }) => key === userID);
  return (
    <span>
      by <UserText text={person ? userName(person) : 'a person who was removed'} />
    </span>
  );
}

function Limit({ data: { countedExports, mostExports, countedBytes, mostBytes } }: { readonly data: SoundExports }) {
  return (
    <span>
      In progress, and kept for a week. Of other people’s devices you have {countedExports} of at most {mostExports}{' '}
      exports, {sizeText(countedBytes)} of at most {sizeText(mostBytes)}.
    </span>
  );
}
