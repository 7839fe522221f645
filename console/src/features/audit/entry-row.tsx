import { auditActions } from '@earshot/contract/audit-actions';
import type { AuditEntry } from '@earshot/contract/audit';
import { UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';

type Names = ReadonlyMap<number | undefined, string>;

interface EntryRowProps {
  readonly entry: AuditEntry;
  readonly deviceNames: Names;
  readonly userNames: Names;
}

/** A record that was removed since has only its key. */
export function EntryRow({ entry, deviceNames, userNames }: EntryRowProps) {
  const { action = 'sign-in', auditDate, userID, personID, deviceID, fileID, aPIKeyID, address } = entry;
  const person = (key: number) => userNames.get(key) ?? `Person ${key}`;
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-main">
          <span class="row-title">{auditActions[action].label}</span>
          <span class="row-under">
            <span>{userID === undefined ? 'somebody unknown' : <UserText text={person(userID)} />}</span>
            {auditDate && <Time date={auditDate} />}
            {personID !== undefined && personID !== userID && (
              <span>
                person: <UserText text={person(personID)} />
              </span>
            )}
            {deviceID !== undefined && (
              <span>
                device: <DeviceName deviceID={deviceID} name={deviceNames.get(deviceID)} />
              </span>
            )}
            <RecordName entry={entry} />
            {fileID !== undefined && <span>file {fileID}</span>}
            {aPIKeyID !== undefined && <span>by API key {aPIKeyID}</span>}
            {address !== undefined && <span>from {address}</span>}
          </span>
        </span>
      </div>
    </li>
  );
}

function DeviceName({ deviceID, name }: { readonly deviceID: number; readonly name: string | undefined }) {
  if (name === undefined) return <>{deviceID} (removed)</>;
  return (
    <a href={`/devices/${deviceID}`}>
      <UserText text={name} />
    </a>
  );
}

const recordWords: Readonly<Partial<Record<string, string>>> = {
  apikey: 'key',
  audioclip: 'clip',
  caption: 'clip',
  collection: 'collection',
  event: 'event',
  file: 'file',
  uploadkey: 'upload key',
};
const pages: Readonly<Partial<Record<string, string>>> = { clip: 'clips', collection: 'collections', event: 'events' };

/** Persons and devices are shown by their names instead. */
function RecordName({ entry: { action = 'sign-in', recordID } }: { readonly entry: AuditEntry }) {
  const word = recordWords[auditActions[action].record ?? ''];
  if (recordID === undefined || word === undefined) return null;
  const page = action.endsWith('-removed') ? undefined : pages[word];
  return (
    <span>
      {page === undefined ? `${word} ${recordID}` : <a href={`/${page}/${recordID}`}>{`${word} ${recordID}`}</a>}
    </span>
  );
}
