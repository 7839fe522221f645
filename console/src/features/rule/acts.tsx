import { Badge, UserText } from '../../lib/ui/elements.tsx';
import type { RuleMatch } from '@earshot/contract/rule-match';
import type { RuleNames } from './sentence.ts';

type Act = NonNullable<RuleMatch['acts']>[number];

function actText({ action, tagName, userID, deviceID, eventPresetID }: Act, names: RuleNames): string {
  const where = deviceID === undefined ? '' : ` on ${names.device(deviceID)}`;
  switch (action) {
    case 'lock':
      return 'locked';
    case 'tag':
      return `tagged ${tagName ?? ''}`;
    case 'notify':
      return userID === undefined ? 'told' : `told ${names.person(userID)}`;
    case 'runPreset':
      return `ran ${eventPresetID === undefined ? 'a preset' : names.preset(eventPresetID)}${where}`;
    case 'requestUpload':
      return `requested the sound${where}`;
  }
}

interface ActsProps {
  readonly acts: readonly Act[];
  readonly names: RuleNames;
}

/** What a rule did, or why it did not. */
export function Acts({ acts, names }: ActsProps) {
  if (acts.length === 0) return null;
  return (
    <ul class="acts" aria-label="What was done">
      {acts.map((act, at) => (
        <li key={at}>
          <Badge tone={act.refusal === undefined ? 'good' : 'bad'}>
            {act.refusal === undefined ? 'Done' : 'Not done'}
          </Badge>
          <span>
            {act.eventID === undefined ? (
              <UserText text={actText(act, names)} />
            ) : (
              <a href={`/events/${act.eventID}`}>
                <UserText text={actText(act, names)} />
              </a>
            )}
            {act.refusal !== undefined && (
              <span class="quiet">
                {' '}
                <UserText text={act.refusal} />
              </span>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
