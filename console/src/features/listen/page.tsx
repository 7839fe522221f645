import type { AudioClip } from '@earshot/contract/audio-clip';
import { useEffect } from 'preact/hooks';
import { WhenLoaded } from '../../app/loaded.tsx';
import { useQuery } from '../../app/query.ts';
import { place } from '../../app/router.ts';
import type { PageProps } from '../../app/routes.ts';
import { Given, PageHead } from '../../ui/bits.tsx';
import { nameOf, oneDevice } from '../device/data.ts';
import { hasSound, oneClip, startMsOf, tagsOf } from './data.ts';
import { Details } from './details.tsx';
import { PlayerCard } from './player-card.tsx';
import { player } from './player.ts';
import { Said } from './said.tsx';
import { NoSound } from './sound-state.tsx';
import { placeTags, Tags } from './tags.tsx';
import { isElsewhere, shortDay, timeOfDay } from './times.ts';

export function ListenPage({ id }: PageProps) {
  const clip = useQuery(oneClip(id));
  return <WhenLoaded from={clip}>{(data) => <Listen clip={data} />}</WhenLoaded>;
}

/** The position in the address, in milliseconds. */
function addressMs(): number | undefined {
  const seconds = Number.parseFloat(place.value.query.get('t') ?? '');
  return Number.isFinite(seconds) && seconds >= 0 ? Math.round(seconds * 1_000) : undefined;
}

function Listen({ clip }: { readonly clip: AudioClip }) {
  const { key = 0, deviceID = 0, fileID } = clip;
  const { data: device } = useQuery(oneDevice(deviceID));
  const { data: found = [] } = useQuery(tagsOf(key));
  const startMs = startMsOf(clip);
  const tags = placeTags(found, startMs);
  const begin = new Date(startMs);
  const isHere = hasSound(clip);
  const atMs = addressMs();

  useEffect(() => {
    if (!isHere) return;
    player.open(key);
    return () => {
      // Not if the next clip is already open.
      if (player.clipID.peek() === key) player.close();
    };
  }, [key, isHere, fileID]);
  useEffect(() => {
    if (isHere && atMs !== undefined) player.seek(atMs);
  }, [key, isHere, atMs]);

  return (
    <>
      <PageHead
        back={{ href: '/clips', label: 'Clips' }}
        title={
          <>
            <a class="plain" href={`/devices/${deviceID}`}>
              <Given text={device ? nameOf(device) : `Device ${deviceID}`} />
            </a>
            , {shortDay(begin)}
          </>
        }
        under={
          isElsewhere(begin, device?.timeZone) && (
            <span>
              {timeOfDay(begin, device?.timeZone)} device time ({device?.timeZone})
            </span>
          )
        }
      />
      {isHere ? <PlayerCard clip={clip} zone={device?.timeZone} tags={tags} /> : <NoSound clip={clip} />}
      <div class="listen-columns">
        <Said clip={clip} deviceSerial={device?.deviceSerial} />
        <div>
          <Tags clipID={key} startMs={startMs} tags={tags} />
          <Details clip={clip} device={device} />
        </div>
      </div>
    </>
  );
}
