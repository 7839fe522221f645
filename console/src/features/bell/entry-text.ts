import type { BellEntry } from '@earshot/contract/bell';

/** What an entry says, without what was said in the clip. */
export function entryText({ kind = 'alert', ruleName = '', deviceName, count = 0, reason = '' }: BellEntry): string {
  switch (kind) {
    case 'alert':
      return deviceName === undefined ? ruleName : `${ruleName}: ${deviceName}`;
    case 'limit':
      return `${ruleName} acted on as many alerts of this hour as it may. The others are recorded silently.`;
    case 'tooOld':
      return count === 1
        ? 'An alert was not acted on: its sound was too old.'
        : `${count} alerts were not acted on: their sound was too old.`;
    case 'refused':
      return `${ruleName}: ${reason}`;
    case 'channelFailing':
      return `A channel takes no messages. ${reason}`;
  }
}

export function entryAddress({ kind = 'alert', alertID, ruleID }: BellEntry): string {
  if (kind === 'alert' && alertID !== undefined) return `/alerts/${alertID}`;
  if (kind === 'tooOld' || ruleID === undefined) return '/alerts?state=all';
  return `/rules/${ruleID}`;
}
