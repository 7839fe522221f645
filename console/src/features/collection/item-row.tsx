import type { CollectionItem } from '@earshot/contract/collection-item';
import type { ComponentChildren } from 'preact';
import { api } from '../../app/api.ts';
import { hold } from '../../app/held.ts';
import { refresh, useQuery } from '../../app/query.ts';
import { Given } from '../../ui/bits.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { nameOf, oneDevice } from '../device/data.ts';
import { DeviceState } from '../device/state.tsx';
import { everyone, oneFile, personName, typeOf } from './data.ts';

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
  const { data: people = [] } = useQuery(everyone);
  const found = people.find(({ key }) => key === item.itemID);
  const name = found ? personName(found) : `Person ${item.itemID}`;
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
    hold(`item ${collectionItemID}`, `${name} is removed from the collection.`, async () => {
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
                <Given text={name} />
              </a>
            ) : (
              <Given text={name} />
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
