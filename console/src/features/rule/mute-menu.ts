import type { Rule } from '@earshot/contract/rule';
import type { MenuItem } from '../../lib/ui/menu.tsx';
import { askToDeleteRule, enableRule, setMuted } from './data.ts';

const hourMs = 3_600_000;

/** Eight o'clock of the next morning, by the clock of the viewer. */
function nextMorning(now: Date): Date {
  const morning = new Date(now);
  morning.setHours(8, 0, 0, 0);
  if (morning <= now) morning.setDate(morning.getDate() + 1);
  return morning;
}

export const isMuted = ({ mutedUntil }: Rule): boolean =>
  mutedUntil !== undefined && Date.parse(mutedUntil) > Date.now();

export function ruleActions(rule: Rule): readonly MenuItem[] {
  const mute = (text: string, until: () => Date): MenuItem => ({
    label: text,
    icon: 'bellOff',
    onSelect: () => void setMuted(rule, until()),
  });
  const muting: readonly MenuItem[] = isMuted(rule)
    ? [{ label: 'Unmute', icon: 'bell', onSelect: () => void setMuted(rule, undefined) }]
    : [
        mute('Mute for an hour', () => new Date(Date.now() + hourMs)),
        mute('Mute until tomorrow morning', () => nextMorning(new Date())),
        mute('Mute for a week', () => new Date(Date.now() + 7 * 24 * hourMs)),
      ];
  return [
    ...muting,
    rule.isEnabled === false
      ? { label: 'Switch on', icon: 'play', onSelect: () => void enableRule(rule, true) }
      : { label: 'Switch off', icon: 'pause', onSelect: () => void enableRule(rule, false) },
    { label: 'Delete', icon: 'trash', danger: true, onSelect: () => askToDeleteRule(rule) },
  ];
}
