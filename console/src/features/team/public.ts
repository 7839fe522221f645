export { allTeams, dutyOf, oneTeam, reachOf, teamNames } from './data.ts';
