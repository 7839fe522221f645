import type { RuleMatch } from '@earshot/contract/rule-match';
import type { RuleNames } from '@earshot/contract/rule-sentence';

export type ShownAct = NonNullable<RuleMatch['acts']>[number];

export function actText(
  { action, tagName, userID, teamID, channelID, deviceID, eventPresetID }: ShownAct,
  names: RuleNames,
): string {
  const where = deviceID === undefined ? '' : ` on ${names.device(deviceID)}`;
  switch (action) {
    case 'lock':
      return 'locked';
    case 'tag':
      return `tagged ${tagName ?? ''}`;
    case 'notify':
      if (channelID !== undefined) return `told ${names.channel(channelID)}`;
      if (userID === undefined) return teamID === undefined ? 'told' : `told ${names.team(teamID)}`;
      return `told ${names.person(userID)}${teamID === undefined ? '' : ` (${names.team(teamID)})`}`;
    case 'runPreset':
      return `ran ${eventPresetID === undefined ? 'a preset' : names.preset(eventPresetID)}${where}`;
    case 'requestUpload':
      return `requested the sound${where}`;
  }
}
