import type { RuleSeverity } from '@earshot/contract/rule';
import { oneLine } from '../../../platform/one-line.ts';
import { waitedText } from '../waited-text.ts';
import type { ToldMessage } from './kind.ts';

/** What messages to people say, in plain text. Each kind escapes it for its own markup. */

export const severityWords: Readonly<Record<RuleSeverity, string>> = {
  info: 'Info',
  warning: 'Warning',
  critical: 'Critical',
};

const nameOf = ({ rule }: ToldMessage): string => oneLine(rule?.name ?? 'A rule');

const othersOf = ({ otherDevices = 0 }: ToldMessage): string => (otherDevices > 0 ? ` and ${otherDevices} more` : '');

/** One line. */
export function messageTitle(message: ToldMessage): string {
  const { kind, device, alert } = message;
  switch (kind) {
    case 'alert':
      return device ? `${nameOf(message)}: ${oneLine(device.name)}${othersOf(message)}` : nameOf(message);
    case 'resolved':
      return `${alert?.isWithdrawn ? 'Withdrawn' : alert?.hasEnded ? 'Ended' : 'Resolved'}: ${nameOf(message)}`;
    case 'limit':
      return `${nameOf(message)} reached its limit of this hour`;
    case 'digest':
      return `${(message.held ?? []).reduce((sum, { count }) => sum + count, 0)} more alerts`;
    case 'test':
      return 'A test of Earshot';
    case 'change':
      return message.changes?.title ?? '';
  }
}

/** `2026-11-15 01:10:00 UTC`: a channel has no time zone. */
const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** The lines below the title, without addresses. */
export function messageLines(message: ToldMessage): readonly string[] {
  const { kind, severity, alert, words, waitedSeconds, held = [] } = message;
  switch (kind) {
    case 'alert':
      return [
        `${severityWords[severity]}, ${timeOf(alert?.startMs ?? message.date.getTime())}`,
        ...(words === undefined ? [] : [`“${oneLine(words)}”`]),
        ...(waitedSeconds === undefined ? [] : [waitedText(waitedSeconds)]),
      ];
    case 'resolved':
      return [
        alert?.isWithdrawn
          ? 'What it was based on was corrected or removed: the alert does not hold any more.'
          : alert?.hasEnded
            ? 'The state of each of its devices has ended.'
            : `The alert was ${alert?.state ?? 'closed'}.`,
      ];
    case 'limit':
      return ['Further alerts of this hour are recorded silently.'];
    case 'digest':
      return held.map(({ ruleName, count }) => `${oneLine(ruleName)}: ${count}`);
    case 'test':
      return ['This channel works.'];
    case 'change':
      return [timeOf(message.date.getTime()), ...(message.changes?.lines ?? []).map(oneLine)];
  }
}
