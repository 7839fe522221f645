import * as contract from '@earshot/contract/team';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveOnce } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import { findTeams, selectTeamNames } from './queries.ts';
import { addTeam, changeTeam, eraseTeam, readDuty, readTeam, addPersonTo, takePersonOut } from './rules.ts';
import { findTeamsOf, shareWith, stopSharingWith } from './sharing.ts';

export function serveTeams(http: HttpApp, db: Pool): void {
  serveOnce(
    http,
    contract.createTeam,
    db,
    ({ caller, body }, within) => addTeam(within, caller, body),
    ({ caller }, within, { key = 0 }) => readTeam(within, caller, key),
  );
  serve(http, contract.listTeams, ({ caller }) => findTeams(db, caller));
  serve(http, contract.listTeamNames, () => selectTeamNames(db));
  serve(http, contract.getTeam, ({ caller, params }) => readTeam(db, caller, params.teamID));
  serve(http, contract.updateTeam, ({ caller, params, body }) => changeTeam(db, caller, params.teamID, body));
  serve(http, contract.deleteTeam, ({ caller, params }) => eraseTeam(db, caller, params.teamID));
  serve(http, contract.addTeamPerson, ({ caller, params }) => addPersonTo(db, caller, params.teamID, params.userID));
  serve(http, contract.removeTeamPerson, ({ caller, params }) =>
    takePersonOut(db, caller, params.teamID, params.userID),
  );
  serve(http, contract.getTeamDuty, ({ caller, params, query }) => readDuty(db, caller, params.teamID, query.at));
  serve(http, contract.addCollectionTeam, ({ caller, params }) => shareWith(db, caller, params));
  serve(http, contract.removeCollectionTeam, ({ caller, params }) => stopSharingWith(db, caller, params));
  serve(http, contract.listCollectionTeams, ({ caller, params }) => findTeamsOf(db, caller, params.collectionID));
}
