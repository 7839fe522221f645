import type { Team } from '@earshot/contract/team';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { deferAction, isDeferred } from '../../lib/deferred.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { refresh, useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Empty, Section, UserText } from '../../lib/ui/elements.tsx';
import { SelectField } from '../../lib/ui/field.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { teamNames, teamsOfCollection } from './data.ts';

interface TeamsProps {
  readonly collectionID: number;
  readonly mayEdit: boolean;
}

/** The teams that a collection is shared with. */
export function TeamsSection({ collectionID, mayEdit }: TeamsProps) {
  const teams = useQuery(teamsOfCollection(collectionID));
  const [adding, setAdding] = useState(false);
  const shown = teams.data?.filter(({ key }) => !isDeferred(shareName(collectionID, key))) ?? [];
  return (
    <Section
      title="Teams"
      {...(shown.length > 0 ? { count: shown.length } : {})}
      action={
        mayEdit && (
          <Button small icon="add" onClick={() => setAdding(true)}>
            Share with a team
          </Button>
        )
      }
    >
      <WhenLoaded from={teams} rows={1}>
        {() =>
          shown.length === 0 ? (
            <Empty>Not shared with a team yet.</Empty>
          ) : (
            <ul class="rows">
              {shown.map((team) => (
                <TeamRow key={team.key} team={team} collectionID={collectionID} mayEdit={mayEdit} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {adding && <ShareDialog collectionID={collectionID} there={shown} onClose={() => setAdding(false)} />}
    </Section>
  );
}

const shareName = (collectionID: number, teamID: number | undefined) => `team ${teamID} of ${collectionID}`;

function TeamRow({ team, collectionID, mayEdit }: TeamsProps & { readonly team: Team }) {
  const { key: teamID = 0, teamName = '', userIDs } = team;
  const remove = () =>
    deferAction(shareName(collectionID, teamID), `The collection is no longer shared with ${teamName}.`, async () => {
      await api.removeCollectionTeam({ params: { collectionID, teamID } });
      refresh(['teams']);
    });
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-icon">
          <Icon name="team" />
        </span>
        <span class="row-main">
          <span class="row-title">
            <a class="plain" href={`/teams/${teamID}`}>
              <UserText text={teamName} />
            </a>
          </span>
        </span>
        <span class="row-facts quiet">{userIDs.length === 1 ? '1 person' : `${userIDs.length} people`}</span>
      </div>
      {mayEdit && (
        <span class="row-actions">
          <Button small kind="quiet" icon="close" label={`Stop sharing with ${teamName}`} onClick={remove} />
        </span>
      )}
    </li>
  );
}

interface ShareProps {
  readonly collectionID: number;
  readonly there: readonly Team[];
  readonly onClose: () => void;
}

function ShareDialog({ collectionID, there, onClose }: ShareProps) {
  const { data: names = [] } = useQuery(teamNames);
  const others = names.filter(({ key }) => !there.some((team) => team.key === key));
  const share = async ({ teamID = '' }: Readonly<Record<string, string>>) => {
    await api.addCollectionTeam({ params: { collectionID, teamID: Number(teamID) } });
    refresh(['teams']);
    onClose();
  };
  return (
    <Dialog title="Share with a team" onClose={onClose}>
      {others.length === 0 ? (
        <Empty title="No other teams">An admin can make teams.</Empty>
      ) : (
        <ApiForm submit="Share" onSend={share} onCancel={onClose}>
          <SelectField
            name="teamID"
            label="Team"
            options={others.map(({ key, teamName }) => ({ value: String(key), label: teamName }))}
            value={String(others[0]?.key ?? '')}
          />
          <p class="hint">Everybody who may read the collection sees the team and its people.</p>
        </ApiForm>
      )}
    </Dialog>
  );
}
