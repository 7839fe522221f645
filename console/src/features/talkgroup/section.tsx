import type { Talkgroup } from '@earshot/contract/radio';
import { shortTextLength } from '@earshot/contract/values';
import { importTalkgroups, updateTalkgroup } from '@earshot/contract/radio';
import { useState } from 'preact/hooks';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useLatest, useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, Section, UserText } from '../../lib/ui/elements.tsx';
import { SearchField } from '../../lib/ui/search-field.tsx';
import { talkgroupsFound } from './data.ts';
import { EditTalkgroupDialog } from './edit-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { talkgroupText } from './names.ts';
import { may } from '../right/public.ts';

/** Number of talkgroups shown before “Show more”. */
export const shownAtFirst = 50;
const shownMore = 200;

export function TalkgroupSection({ deviceID }: { readonly deviceID: number }) {
  const [searchText, setSearchText] = useState('');
  const [shown, setShown] = useState(shownAtFirst);
  const [editing, setEditing] = useState<Talkgroup | undefined>();
  const [importing, setImporting] = useState(false);
  const found = useLatest(talkgroupsFound(deviceID, searchText, shown));
  const search = (text: string) => {
    setSearchText(text.slice(0, shortTextLength));
    setShown(shownAtFirst);
  };
  return (
    <Section
      title="Talkgroups"
      action={
        may(importTalkgroups, { deviceID }) && (
          <Button small icon="upload" onClick={() => setImporting(true)}>
            Import CSV
          </Button>
        )
      }
      bare
    >
      <div class="toolbar">
        <SearchField label="Find a talkgroup" value={searchText} onSearch={search} />
      </div>
      <div class="card">
        <WhenLoaded from={found}>
          {(list) =>
            list.length === 0 ? (
              <Empty title="No matching talkgroups">Try another part of a name, or a number.</Empty>
            ) : (
              <ul class="rows">
                {list.slice(0, shown).map((one) => (
                  <TalkgroupRow key={one.talkgroup} talkgroup={one} onEdit={() => setEditing(one)} />
                ))}
              </ul>
            )
          }
        </WhenLoaded>
      </div>
      {(found.data?.length ?? 0) > shown && (
        <div class="more">
          <Button onClick={() => setShown(shown + shownMore)}>Show more</Button>
        </div>
      )}
      {editing && <EditTalkgroupDialog talkgroup={editing} onClose={() => setEditing(undefined)} />}
      {importing && <ImportDialog deviceID={deviceID} onClose={() => setImporting(false)} />}
    </Section>
  );
}

interface TalkgroupRowProps {
  readonly talkgroup: Talkgroup;
  readonly onEdit: () => void;
}

function TalkgroupRow({ talkgroup: one, onEdit }: TalkgroupRowProps) {
  const { deviceID, talkgroup, talkgroupLabel, talkgroupName, talkgroupGroup, talkgroupTag } = one;
  const name = talkgroupText(one);
  return (
    <li class="row">
      <a class="row-link slim" href={`/clips?device=${deviceID}&talkgroup=${talkgroup}`}>
        <span class="row-main">
          <span class="row-title">
            <UserText text={name} />
          </span>
          <span class="row-under">
            <span>{talkgroup}</span>
            {talkgroupLabel && talkgroupName && <UserText text={talkgroupName} />}
            {talkgroupGroup && <UserText text={talkgroupGroup} />}
            {talkgroupTag && talkgroupTag !== talkgroupGroup && <UserText text={talkgroupTag} />}
          </span>
        </span>
      </a>
      {may(updateTalkgroup, { deviceID }) && (
        <span class="row-actions">
          <Button small kind="quiet" icon="edit" label={`Edit ${name}`} onClick={onEdit}>
            Edit
          </Button>
        </span>
      )}
    </li>
  );
}

/** The talkgroups of a device; nothing for a device that records none. */
export function TalkgroupsOfDevice({ deviceID }: { readonly deviceID: number }) {
  const { data: first = [] } = useQuery(talkgroupsFound(deviceID, '', shownAtFirst));
  return first.length === 0 ? null : <TalkgroupSection deviceID={deviceID} />;
}
