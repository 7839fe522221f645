import type { Static } from 'typebox';
import { Type } from 'typebox';
import { actionNames } from './rule-parts.ts';
import { tagNameLength } from './tag.ts';
import { DateTime, Key, oneOf, text } from './values.ts';

/**
 * Who is told when nobody acknowledges an alert that a team was told of, one after the other:
 * - nextDuty: those of the team whose duty begins next
 * - team: all people of the team
 * - admins: all admins
 */
export const escalationSteps = ['nextDuty', 'team', 'admins'] as const;
export type EscalationStep = (typeof escalationSteps)[number];

export const RuleAct = Type.Object(
  {
    action: oneOf(...actionNames),
    tagName: Type.Optional(text(tagNameLength)),
    userID: Type.Optional(Type.Integer({ ...Key, description: '`notify`: the person who was told.' })),
    teamID: Type.Optional(
      Type.Integer({
        ...Key,
        description: '`notify`: the team that the person was told with, or that nobody was told of.',
      }),
    ),
    channelID: Type.Optional(Type.Integer({ ...Key, description: '`notify`: the channel that was told.' })),
    escalation: Type.Optional(
      Type.Unsafe<EscalationStep>({
        ...oneOf(...escalationSteps),
        description:
          '`notify`: told because nobody acknowledged the alert for the `escalateSeconds` of the team: those whose duty begins ' +
          'next, then the whole team, then admins. Missing: told at first.',
      }),
    ),
    deviceID: Type.Optional(
      Type.Integer({ ...Key, description: '`runPreset`, `requestUpload`: the device that got work.' }),
    ),
    eventPresetID: Type.Optional(Key),
    eventID: Type.Optional(Type.Integer({ ...Key, description: 'The work, as an event; missing: none was needed.' })),
    actDate: DateTime,
    refusal: Type.Optional(Type.String({ description: 'Why it was not done; missing: it was done.' })),
  },
  {
    title: 'RuleAct',
    description:
      'What a rule did: `lock` and `tag` once for each clip, all else once for each alert. It stays when the match is withdrawn.',
  },
);
export type RuleAct = Static<typeof RuleAct>;
