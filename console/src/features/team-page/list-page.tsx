import type { Team } from '@earshot/contract/team';
import { createTeam } from '@earshot/contract/team';
import { useState } from 'preact/hooks';
import { isDeferred } from '../../lib/deferred.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, PageHead, UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { may } from '../right/public.ts';
import { allTeams } from '../team/public.ts';
import { TeamDialog } from './dialogs.tsx';

export function TeamsPage() {
  const teams = useQuery(allTeams);
  const [making, setMaking] = useState(false);
  return (
    <>
      <PageHead
        title="Teams"
        actions={
          may(createTeam) && (
            <Button kind="primary" icon="add" onClick={() => setMaking(true)}>
              Make a team
            </Button>
          )
        }
      />
      <div class="card">
        <WhenLoaded from={teams}>
          {(list) =>
            list.length === 0 ? (
              <Empty icon="team" title="No teams yet">
                A team is people who share collections and watch together: a rule tells those who are on duty.{' '}
                {may(createTeam) ? '' : 'Admins make teams.'}
              </Empty>
            ) : (
              <ul class="rows">
                {list
                  .filter(({ key }) => !isDeferred(`team ${key}`))
                  .map((team) => (
                    <TeamLink key={team.key} team={team} />
                  ))}
              </ul>
            )
          }
        </WhenLoaded>
      </div>
      {making && <TeamDialog onClose={() => setMaking(false)} />}
    </>
  );
}

function TeamLink({ team: { key, teamName, teamDescription, userIDs, rota } }: { readonly team: Team }) {
  return (
    <li class="row">
      <a class="row-link" href={`/teams/${key}`}>
        <span class="row-icon">
          <Icon name="team" />
        </span>
        <span class="row-main">
          <span class="row-title">
            <UserText text={teamName} />
          </span>
          <span class="row-under">
            <span>{userIDs.length === 1 ? '1 person' : `${userIDs.length} people`}</span>
            {rota.length > 0 && <span>with a rota</span>}
            {teamDescription && <UserText text={teamDescription} />}
          </span>
        </span>
        <Icon name="next" />
      </a>
    </li>
  );
}
