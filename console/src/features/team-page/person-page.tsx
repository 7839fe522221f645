import type { Reach } from '@earshot/contract/reach';
import { createUser } from '@earshot/contract/user';
import { useState } from 'preact/hooks';
import { api, errorMessage } from '../../lib/api.ts';
import type { PageProps } from '../../lib/lazy-page.tsx';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, PageHead, Section, UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { may } from '../right/public.ts';
import { reachOf } from '../team/public.ts';
import { allUsers, userName } from '../user/public.ts';
import { deviceReasons, collectionReasons, rightText } from './reasons.ts';

/** What a person can reach, and why. */
export function PersonPage({ id }: PageProps) {
  const { data: people = [] } = useQuery(allUsers);
  const reach = useQuery(reachOf(id));
  const person = people.find(({ key }) => key === id);
  const back = may(createUser) ? { href: '/people', label: 'People' } : { href: '/settings', label: 'Settings' };
  return (
    <>
      <PageHead back={back} title={<UserText text={person ? userName(person) : `Person ${id}`} />} />
      <WhenLoaded from={reach}>{(data) => <Reached key={id} userID={id} reach={data} />}</WhenLoaded>
    </>
  );
}

function Reached({ userID, reach }: { readonly userID: number; readonly reach: Reach }) {
  const [more, setMore] = useState<readonly Reach[]>([]);
  const devices = [reach, ...more].flatMap((page) => page.devices);
  const next = (more.at(-1) ?? reach).nextDeviceID;
  const loadMore = async () => {
    try {
      const query = { afterDeviceID: next ?? 0, count: 1_000 };
      setMore([...more, await api.getReach({ params: { userID }, query })]);
    } catch (error) {
      showToast(errorMessage(error), { tone: 'bad' });
    }
  };
  return (
    <>
      {reach.isAdmin && <p>An admin can reach everything.</p>}
      <Section title="Collections" {...countOf(reach.collections.length)}>
        {reach.collections.length === 0 && <Empty>None.</Empty>}
        <ul class="rows">
          {reach.collections.map((collection) => (
            <Row
              key={collection.collectionID}
              icon="collection"
              href={`/collections/${collection.collectionID}`}
              name={collection.collectionName}
              why={collectionReasons(collection)}
              right={rightText(collection.right)}
            />
          ))}
        </ul>
      </Section>
      <Section title="Devices" {...countOf(devices.length, next !== undefined)}>
        {devices.length === 0 && <Empty>None.</Empty>}
        <ul class="rows">
          {devices.map((device) => (
            <Row
              key={device.deviceID}
              icon="device"
              href={`/devices/${device.deviceID}`}
              name={device.deviceName ?? `Device ${device.deviceID}`}
              why={deviceReasons(device, reach.collections)}
              right={rightText(device.right)}
            />
          ))}
        </ul>
        {next !== undefined && (
          <div class="form-end">
            <Button onClick={() => void loadMore()}>Show more</Button>
          </div>
        )}
      </Section>
    </>
  );
}

const countOf = (count: number, hasMore = false) => (count === 0 ? {} : { count: hasMore ? `${count}+` : count });

interface RowProps {
  readonly icon: 'collection' | 'device';
  readonly href: string;
  readonly name: string;
  readonly why: readonly string[];
  readonly right: string;
}

const Row = ({ icon, href, name, why, right }: RowProps) => (
  <li class="row">
    <a class="row-link" href={href}>
      <span class="row-icon">
        <Icon name={icon} />
      </span>
      <span class="row-main">
        <span class="row-title">
          <UserText text={name} />
        </span>
        <span class="row-under">
          {why.map((reason) => (
            <UserText key={reason} text={reason} />
          ))}
        </span>
      </span>
      <span class="row-facts quiet">{right}</span>
    </a>
  </li>
);
