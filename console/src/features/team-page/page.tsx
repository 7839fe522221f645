import type { User } from '@earshot/contract/user';
import type { Team } from '@earshot/contract/team';
import { addTeamPerson, removeTeamPerson, updateTeam } from '@earshot/contract/team';
import { createUser } from '@earshot/contract/user';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { deferAction, isDeferred } from '../../lib/deferred.ts';
import type { PageProps } from '../../lib/lazy-page.tsx';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { navigate } from '../../lib/location.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { signedInUser } from '../../lib/session.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Badge, Empty, PageHead, Section, UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Menu } from '../../lib/ui/menu.tsx';
import { may } from '../right/public.ts';
import { dutyOf, oneTeam } from '../team/public.ts';
import { allUsers, userName } from '../user/public.ts';
import { AddTeamPersonDialog, TeamDialog } from './dialogs.tsx';
import { EscalationSection } from './escalation.tsx';
import { RotaSection } from './rota.tsx';

export function TeamPage({ id }: PageProps) {
  const team = useQuery(oneTeam(id));
  return <WhenLoaded from={team}>{(data) => <TeamDetail team={data} />}</WhenLoaded>;
}

function TeamDetail({ team }: { readonly team: Team }) {
  const { data: people = [] } = useQuery(allUsers);
  const { data: duty } = useQuery(dutyOf(team.key ?? 0));
  const [adding, setAdding] = useState(false);
  const shown = team.userIDs
    .filter((userID) => !isDeferred(`team ${team.key} person ${userID}`))
    .map((userID) => people.find(({ key }) => key === userID) ?? { key: userID, email: `Person ${userID}` });
  return (
    <>
      <TeamHead team={team} />
      <Section
        title="People"
        {...(shown.length > 0 ? { count: shown.length } : {})}
        action={
          may(addTeamPerson) && (
            <Button small icon="add" onClick={() => setAdding(true)}>
              Add a person
            </Button>
          )
        }
      >
        {shown.length === 0 ? (
          <Empty>Nobody is in this team yet.</Empty>
        ) : (
          <ul class="rows">
            {shown.map((person) => (
              <PersonRow
                key={person.key}
                team={team}
                person={person}
                isOnDuty={duty?.userIDs.includes(person.key ?? 0) ?? false}
              />
            ))}
          </ul>
        )}
      </Section>
      <RotaSection key={JSON.stringify([team.rota, team.userIDs])} team={team} people={shown} duty={duty} />
      <EscalationSection key={team.escalateSeconds} team={team} />
      {adding && <AddTeamPersonDialog team={team} onClose={() => setAdding(false)} />}
    </>
  );
}

interface PersonRowProps {
  readonly team: Team;
  readonly person: User;
  readonly isOnDuty: boolean;
}

function PersonRow({ team, person, isOnDuty }: PersonRowProps) {
  const name = userName(person);
  const [teamID, userID] = [team.key ?? 0, person.key ?? 0];
  const remove = () =>
    deferAction(`team ${teamID} person ${userID}`, `${name} is out of the team.`, async () => {
      await api.removeTeamPerson({ params: { teamID, userID } });
      refresh(['teams']);
    });
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-icon">
          <Icon name="people" />
        </span>
        <span class="row-main">
          <span class="row-title">
            {may(createUser) ? (
              <a class="plain" href={`/people/${userID}`}>
                <UserText text={name} />
              </a>
            ) : (
              <UserText text={name} />
            )}
            {userID === signedInUser().userID && <span class="quiet"> (you)</span>}
          </span>
          {person.displayName && (
            <span class="row-under">
              <UserText text={person.email} />
            </span>
          )}
        </span>
        <span class="row-facts">{isOnDuty && <Badge tone="good">On duty</Badge>}</span>
      </div>
      {may(removeTeamPerson) && (
        <span class="row-actions">
          <Button small kind="quiet" icon="close" label={`Take ${name} out of the team`} onClick={remove} />
        </span>
      )}
    </li>
  );
}

function TeamHead({ team }: { readonly team: Team }) {
  const { key: teamID = 0, teamName = '', teamDescription } = team;
  const [changing, setChanging] = useState(false);
  const remove = () => {
    deferAction(`team ${teamID}`, `${teamName} is deleted.`, async () => {
      await api.deleteTeam({ params: { teamID } });
      refresh(['teams']);
    });
    navigate('/teams');
  };
  return (
    <>
      <PageHead
        back={{ href: '/teams', label: 'Teams' }}
        title={<UserText text={teamName} />}
        under={teamDescription && <UserText text={teamDescription} />}
        actions={
          may(updateTeam) && (
            <Menu
              label="More actions for this team"
              items={[
                { label: 'Edit', icon: 'settings', onSelect: () => setChanging(true) },
                { label: 'Delete', icon: 'trash', danger: true, onSelect: remove },
              ]}
            />
          )
        }
      />
      {changing && <TeamDialog team={team} onClose={() => setChanging(false)} />}
    </>
  );
}
