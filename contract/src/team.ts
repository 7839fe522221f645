import type { Static } from 'typebox';
import { Type } from 'typebox';
import { onceHeaders } from './repetition.ts';
import { operation } from './operation.ts';
import { RuleActiveTime } from './rule-parts.ts';
import {
  clearable,
  DateTime,
  filledText,
  Key,
  longestIdList,
  longTextLength,
  modifiedFields,
  PathKey,
  shortTextLength,
  text,
  TimeZone,
} from './values.ts';

export const mostDuties = 200;
export const mostTeams = 1_000;
export const shortestEscalateSeconds = 60;
export const longestEscalateSeconds = 86_400;

const { days, from, to, timeZone } = RuleActiveTime.properties;

export const TeamDuty = Type.Object(
  {
    userID: Type.Integer({ ...Key, description: 'A person of the team.' }),
    days,
    from,
    to,
    timeZone: Type.Optional(Type.String({ ...timeZone, description: 'Missing: that of the team, else UTC.' })),
  },
  {
    title: 'TeamDuty',
    description:
      'A person is on duty each week on these days, from `from` until before `to`. If `to` is not after `from`, the duty ends ' +
      'on the next day. Several people may be on duty at once.',
  },
);
export type TeamDuty = Static<typeof TeamDuty>;

const EscalateSeconds = Type.Integer({
  minimum: shortestEscalateSeconds,
  maximum: longestEscalateSeconds,
  examples: [600],
  description:
    'When a rule told the team and nobody has acknowledged or closed the alert for so long, those are told whose duty begins ' +
    'next; after as long again the whole team, and after that the admins. Missing: nobody else is told.',
});

export const Team = Type.Object(
  {
    key: Type.Optional(Key),
    teamName: Type.Optional(text(shortTextLength)),
    teamDescription: Type.Optional(text(longTextLength)),
    timeZone: Type.Optional(Type.String({ ...TimeZone, description: 'Of its rota. Missing: UTC.' })),
    userIDs: Type.Array(Key, { description: 'Its people.' }),
    rota: Type.Array(TeamDuty, { description: 'Who is on duty when. Empty: the team has no rota.' }),
    escalateSeconds: Type.Optional(EscalateSeconds),
    creationDate: Type.Optional(DateTime),
    ...modifiedFields,
  },
  { title: 'Team', description: 'People who share devices and watch together.' },
);
export type Team = Static<typeof Team>;

const Name = filledText(shortTextLength, 'North team');
const Description = text(longTextLength, 'Rangers of the northern valleys');
const Rota = Type.Array(TeamDuty, { maxItems: mostDuties, examples: [[]] });
const NewEscalateSeconds = Type.Optional(clearable(EscalateSeconds));

const NewTeam = Type.Object(
  {
    teamName: Name,
    teamDescription: Type.Optional(clearable(Description)),
    timeZone: Type.Optional(clearable(Type.String({ ...TimeZone }))),
    userIDs: Type.Optional(
      Type.Array(Key, { maxItems: longestIdList, examples: [[]], description: 'Its first people.' }),
    ),
    rota: Type.Optional(Rota),
    escalateSeconds: NewEscalateSeconds,
  },
  { title: 'NewTeam' },
);
export type NewTeam = Static<typeof NewTeam>;

const TeamUpdate = Type.Object(
  {
    teamName: Type.Optional(Name),
    teamDescription: Type.Optional(clearable(Description)),
    timeZone: Type.Optional(clearable(Type.String({ ...TimeZone }))),
    rota: Type.Optional(clearable(Rota)),
    escalateSeconds: NewEscalateSeconds,
  },
  { title: 'TeamUpdate' },
);
export type TeamUpdate = Static<typeof TeamUpdate>;

const NameOfTeam = Type.Object(
  { key: Key, teamName: text(shortTextLength) },
  { title: 'TeamName', description: 'What everybody knows of a team.' },
);
export type TeamName = Static<typeof NameOfTeam>;

const DutyAt = Type.Object(
  {
    dutyDate: Type.String({ ...DateTime, description: 'The time that was asked for.' }),
    userIDs: Type.Array(Key, {
      description: 'Who is on duty then. Empty: nobody; what the team is told then, all its people are told.',
    }),
    nextDate: Type.Optional(
      Type.String({ ...DateTime, description: 'When the next duty begins. Missing: the team has no rota.' }),
    ),
    nextUserIDs: Type.Array(Key, { description: 'Whose duty begins then.' }),
  },
  { title: 'TeamDutyAt' },
);
export type TeamDutyAt = Static<typeof DutyAt>;

const params = { teamID: PathKey };
const changing = [{ record: 'team', right: 'write', by: 'params.teamID' }] as const;
const reading = [{ record: 'team', right: 'read', by: 'params.teamID' }] as const;
const whoSees =
  'A team is seen by admins, by its people, and by everybody who may read a collection that it is a member of.';

export const createTeam = operation('team', {
  method: 'POST',
  path: '/v1/team',
  summary: 'Make a team',
  description: `Only admins make and change teams, so that nobody passes on a collection that was lent to a team. At most ${mostTeams}: 409.`,
  access: 'admin',
  acts: [],
  headers: onceHeaders,
  body: NewTeam,
  answer: Team,
  errors: [409],
  trail: ['team-created', 'team-joined'],
});

export const listTeams = operation('team', {
  method: 'GET',
  path: '/v1/team/list',
  summary: 'List the teams that you see',
  description: whoSees,
  access: 'caller',
  acts: [],
  lists: 'team',
  answer: Type.Array(Team),
});

export const listTeamNames = operation('team', {
  method: 'GET',
  path: '/v1/team/name/list',
  summary: 'List the names of all teams',
  description: 'Everybody may share a collection with any team, and have a rule tell any team, as with people.',
  access: 'caller',
  acts: [],
  lists: 'teamname',
  answer: Type.Array(NameOfTeam),
});

export const getTeam = operation('team', {
  method: 'GET',
  path: '/v1/team/{teamID}',
  summary: 'Read a team, its people and its rota',
  description: whoSees,
  access: 'caller',
  acts: reading,
  params,
  answer: Team,
});

export const updateTeam = operation('team', {
  method: 'PUT',
  path: '/v1/team/{teamID}',
  summary: 'Change a team or its rota',
  description: 'Sets the fields that are present; `null` clears. A rota is replaced as a whole.',
  access: 'admin',
  acts: changing,
  params,
  body: TeamUpdate,
  answer: Team,
  trail: ['team-changed'],
});

export const deleteTeam = operation('team', {
  method: 'DELETE',
  path: '/v1/team/{teamID}',
  summary: 'Delete a team',
  description: 'Its people lose what they could reach only through it.',
  access: 'admin',
  acts: changing,
  params,
  trail: ['team-removed'],
});

const ofPerson = {
  path: '/v1/team/{teamID}/person/{userID}',
  access: 'admin',
  acts: [...changing, { record: 'user', right: 'read', by: 'params.userID' }],
  params: { ...params, userID: PathKey },
} as const;

export const addTeamPerson = operation('team', {
  ...ofPerson,
  method: 'PUT',
  summary: 'Add a person to a team',
  description: `The person gets the rights of a member to all collections of the team. At most ${longestIdList} people: 409.`,
  errors: [409],
  trail: ['team-joined'],
});

export const removeTeamPerson = operation('team', {
  ...ofPerson,
  method: 'DELETE',
  summary: 'Take a person out of a team and its rota',
  trail: ['team-left'],
});

export const getTeamDuty = operation('team', {
  method: 'GET',
  path: '/v1/team/{teamID}/duty',
  summary: 'Who of a team is on duty',
  description: `${whoSees} \`at\` missing: now.`,
  access: 'caller',
  acts: reading,
  params,
  query: { at: Type.Optional(Type.String({ ...DateTime, description: 'The moment; missing: now.' })) },
  answer: DutyAt,
});

const ofCollection = {
  path: '/v1/collection/{collectionID}/team/{teamID}',
  access: 'caller',
  acts: [
    { record: 'collection', right: 'write', by: 'params.collectionID' },
    { record: 'teamname', right: 'read', by: 'params.teamID' },
  ],
  params: { collectionID: PathKey, teamID: PathKey },
} as const;

export const addCollectionTeam = operation('collection', {
  ...ofCollection,
  method: 'PUT',
  summary: 'Share a collection with a team',
  description:
    'Its people have the rights of members from now on, and everybody who may read the collection sees the team and its people. ' +
    'Needs the right to add people to the collection.',
  trail: ['item-shared', 'team-shared'],
});

export const removeCollectionTeam = operation('collection', {
  ...ofCollection,
  method: 'DELETE',
  summary: 'Stop sharing a collection with a team',
  trail: ['item-unshared', 'team-unshared'],
});

export const listCollectionTeams = operation('collection', {
  method: 'GET',
  path: '/v1/collection/{collectionID}/team/list',
  summary: 'List the teams that a collection is shared with',
  access: 'caller',
  acts: [{ record: 'collection', right: 'read', by: 'params.collectionID' }],
  params: { collectionID: PathKey },
  answer: Type.Array(Team),
});
