import type { CollectionItem } from '@earshot/contract/collection-item';
import type { ComponentChildren } from 'preact';
import { api } from '../../lib/api.ts';
import { deferAction } from '../../lib/deferred.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { UserText } from '../../lib/ui/elements.tsx';
import type { IconName } from '../../lib/ui/icon.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { nameOf, oneDevice } from '../device/public.ts';
import { DeviceState } from '../device/public.tsx';
import { allUsers, userName } from '../user/public.ts';
import { oneFile, typeOf } from './data.ts';

interface ItemRowProps {
  readonly item: CollectionItem;
  readonly mayRemove: boolean;
}

export function ItemRow(props: ItemRowProps) {
  const type = typeOf(props.item);
  if (type === 'device') return <DeviceItem {...props} />;
  if (type === 'user') return <PersonItem {...props} />;
  return <FileItem {...props} />;
}

function DeviceItem({ item, mayRemove }: ItemRowProps) {
  const { data: device } = useQuery(oneDevice(item.itemID ?? 0));
  const name = device ? nameOf(device) : `Device ${item.itemID}`;
  return (
    <Line item={item} mayRemove={mayRemove} icon="device" name={name} href={`/devices/${item.itemID}`}>
      {device && <DeviceState device={device} />}
    </Line>
  );
}

function PersonItem({ item, mayRemove }: ItemRowProps) {
  const { data: people = [] } = useQuery(allUsers);
  const found = people.find(({ key }) => key === item.itemID);
  const name = found ? userName(found) : `Person ${item.itemID}`;
  return (
    <Line item={item} mayRemove={mayRemove} icon="people" name={name}>
      {found?.displayName && <span class="quiet">{found.email}</span>}
    </Line>
  );
}

function FileItem({ item, mayRemove }: ItemRowProps) {
  const { data: file } = useQuery(oneFile(item.itemID ?? 0));
  return (
    <Line item={item} mayRemove={mayRemove} icon="file" name={file?.filename ?? `File ${item.itemID}`}>
      <a href={`/v1/file/${item.itemID}/content`} download>
        Download
      </a>
    </Line>
  );
}

interface LineProps extends ItemRowProps {
  readonly icon: IconName;
  readonly name: string;
  readonly href?: string;
  readonly children: ComponentChildren;
}

function Line({ item, mayRemove, icon, name, href, children }: LineProps) {
  const collectionItemID = item.key ?? 0;
  const remove = () =>
    deferAction(`item ${collectionItemID}`, `${name} is removed from the collection.`, async () => {
      await api.removeCollectionItem({ params: { collectionItemID } });
      refresh(['items']);
    });
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-icon">
          <Icon name={icon} />
        </span>
        <span class="row-main">
          <span class="row-title">
            {href ? (
              <a class="plain" href={href}>
                <UserText text={name} />
              </a>
            ) : (
              <UserText text={name} />
            )}
          </span>
        </span>
        <span class="row-facts">{children}</span>
      </div>
      {mayRemove && (
        <span class="row-actions">
          <Button small kind="quiet" icon="close" label={`Remove ${name}`} onClick={remove} />
        </span>
      )}
    </li>
  );
}
