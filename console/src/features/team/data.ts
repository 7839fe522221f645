import type { Reach } from '@earshot/contract/reach';
import type { Team, TeamDutyAt, TeamName } from '@earshot/contract/team';
import { api } from '../../lib/api.ts';
import { followKinds } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';

export const teamNames: Query<readonly TeamName[]> = { key: 'teams names', load: () => api.listTeamNames() };

/** Sharing of collections changes which teams a person sees. */
export const allTeams: Query<readonly Team[]> = {
  key: 'teams',
  load: () => api.listTeams(),
  follow: followKinds('collection'),
};

export const oneTeam = (teamID: number): Query<Team> => ({
  key: `teams one ${teamID}`,
  load: () => api.getTeam({ params: { teamID } }),
});

export const dutyOf = (teamID: number): Query<TeamDutyAt> => ({
  key: `teams duty ${teamID}`,
  load: () => api.getTeamDuty({ params: { teamID } }),
});

export const teamsOfCollection = (collectionID: number): Query<readonly Team[]> => ({
  key: `teams of ${collectionID}`,
  load: () => api.listCollectionTeams({ params: { collectionID } }),
  follow: followKinds('collection'),
});

export const reachOf = (userID: number): Query<Reach> => ({
  key: `teams reach ${userID}`,
  load: () => api.getReach({ params: { userID } }),
  follow: followKinds('collection'),
});
