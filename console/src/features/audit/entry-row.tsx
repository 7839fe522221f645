import type { AuditAction } from '@earshot/contract/audit-actions';
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
  const {
    action = 'sign-in',
    auditDate,
    userID,
    personID,
    deviceID,
    fileID,
    aPIKeyID,
    ruleID,
    address,
    leafIndex,
  } = entry;
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
            {ruleID !== undefined && (
              <span>
                by <a href={`/rules/${ruleID}`}>rule {ruleID}</a>
              </span>
            )}
            {address !== undefined && <span>from {address}</span>}
            <Hashes entry={entry} />
            {leafIndex === undefined && <span>not sealed yet</span>}
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
  alert: 'alert',
  apikey: 'key',
  audioclip: 'clip',
  caption: 'clip',
  collection: 'collection',
  event: 'event',
  eventpreset: 'preset',
  file: 'file',
  rule: 'rule',
  team: 'team',
  uploadkey: 'upload key',
};
const pages: Readonly<Partial<Record<string, string>>> = {
  alert: 'alerts',
  clip: 'clips',
  collection: 'collections',
  event: 'events',
  rule: 'rules',
  team: 'teams',
};

/** After these the record has no page. After others whose names end the same, such as `caption-removed`, the clip has. */
const leavesNoPage: ReadonlySet<AuditAction> = new Set([
  'clip-removed',
  'collection-removed',
  'rule-removed',
  'team-removed',
]);

/** Persons and devices are shown by their names instead, except a device that was merged into another. */
function RecordName({ entry: { action = 'sign-in', recordID } }: { readonly entry: AuditEntry }) {
  if (action === 'device-merged') return <span>former device {recordID}</span>;
  const word = recordWords[auditActions[action].record ?? ''];
  if (recordID === undefined || word === undefined) return null;
  const page = leavesNoPage.has(action) ? undefined : pages[word];
  return (
    <span>
      {page === undefined ? `${word} ${recordID}` : <a href={`/${page}/${recordID}`}>{`${word} ${recordID}`}</a>}
    </span>
  );
}

/** Hashes of sound, shortened. The whole ones are in the title and in the exports. */
function Hashes({ entry: { sHA256Before: before, sHA256After: after } }: { readonly entry: AuditEntry }) {
  if (before === undefined && after === undefined) return null;
  return (
    <span>
      SHA-256 {before === undefined ? 'none' : <Hash text={before} />}
      {' → '}
      {after === undefined ? 'none' : <Hash text={after} />}
    </span>
  );
}

const shownDigits = 12;
const Hash = ({ text }: { readonly text: string }) => <code title={text}>{text.slice(0, shownDigits)}…</code>;
