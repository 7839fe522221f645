import type { Device } from '@earshot/contract/device';
import { updateDevice } from '@earshot/contract/device';
import { createEvent } from '@earshot/contract/event';
import { useState } from 'preact/hooks';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Section, UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { useReload } from '../../lib/use-reload.ts';
import { sendToDevices } from '../event/public.ts';
import { may } from '../right/public.ts';
import { latestReportOf } from './data.ts';
import type { SetAside, SetAsideFile } from './set-aside.ts';

/** Agents that do not know this type do not report files set aside. */
const retryType = 'Retry_recordings';

interface OfDevice {
  readonly device: Device;
}

/** Recordings that the platform refused: which, why and since when. Nothing for a device without any. */
export function SetAsideSection({ device }: OfDevice) {
  const deviceID = device.key ?? 0;
  const data = useQuery(latestReportOf(deviceID)).data?.setAside;
  if (!data) return null;
  const more = data.count - data.files.length;
  return (
    <Section
      title="Files set aside"
      count={data.count.toLocaleString('en')}
      action={may(createEvent, { deviceID }) && <TryAgain deviceID={deviceID} setAside={data} />}
    >
      <p class="set-aside-why">
        The server refused these files, so the device keeps them and sends the others. It tries them again once a day
        and after each update of the agent or the server.
      </p>
      <ul class="rows">
        {data.files.map((file) => (
          <FileLine key={file.path} file={file} zone={device.timeZone} />
        ))}
        {more > 0 && <li class="row set-aside-file quiet">{countText(more, 'more file')} on the device</li>}
      </ul>
    </Section>
  );
}

interface FileLineProps {
  readonly file: SetAsideFile;
  readonly zone: string | undefined;
}

function FileLine({ file: { path, reason, sinceDate }, zone }: FileLineProps) {
  return (
    <li class="row set-aside-file">
      <span class="set-aside-name">
        <UserText text={path} />
      </span>
      {reason !== '' && <UserText text={reason} />}
      {sinceDate !== undefined && (
        <span class="quiet">
          Set aside <Time date={sinceDate} zone={zone} />
        </span>
      )}
    </li>
  );
}

interface TryAgainProps {
  readonly deviceID: number;
  readonly setAside: SetAside;
}

function TryAgain({ deviceID, setAside: { reportDate } }: TryAgainProps) {
  /** The report that was shown when the user asked. The next one tells what came of it. */
  const [askedAt, setAskedAt] = useState('');
  const [isBusy, setBusy] = useState(false);
  const ask = async () => {
    setBusy(true);
    if (await sendToDevices([deviceID], retryType)) setAskedAt(reportDate);
    setBusy(false);
  };
  if (askedAt === reportDate) return <span class="quiet">Asked. The next report shows what is left.</span>;
  return (
    <Button small icon="repeat" busy={isBusy} onClick={() => void ask()}>
      Try again
    </Button>
  );
}

/** One line for the first page of the device. */
export function SetAsideNotice({ device }: OfDevice) {
  const deviceID = device.key ?? 0;
  useReload(`health ${deviceID}`);
  const data = useQuery(latestReportOf(deviceID)).data?.setAside;
  if (!data) return null;
  return (
    <p class="notice">
      <span>
        <strong>{countText(data.count, 'file')} set aside.</strong> The device could not upload{' '}
        {data.count === 1 ? 'it' : 'them'}, and sends the others.
      </span>
      <a href={`/devices/${deviceID}?tab=health`}>Which, and why</a>
    </p>
  );
}

/** What the agent asks people to change on the device, for those who may. */
export function WarningNotices({ device }: OfDevice) {
  const deviceID = device.key ?? 0;
  useReload(`health ${deviceID}`);
  const { data } = useQuery(latestReportOf(deviceID));
  if (!may(updateDevice, { deviceID })) return null;
  return data?.warnings.map((warning) => (
    <p class="notice" key={warning}>
      <UserText text={warning} />
    </p>
  ));
}
