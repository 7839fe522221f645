import type { BellManners } from '@earshot/contract/bell';
import { ruleSeverities } from '@earshot/contract/rule';
import type { RuleSeverity } from '@earshot/contract/rule';
import { useId } from 'preact/hooks';
import { useQuery } from '../../lib/query.ts';
import { signedInUser } from '../../lib/session.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { allChannels, channelText } from '../channel/public.ts';
import { severityTexts } from '../rule/public.ts';

export type SeverityChannels = BellManners['severityChannels'];

interface ChannelTableProps {
  readonly chosen: SeverityChannels;
  readonly onChange: (chosen: SeverityChannels) => void;
}

/** By which channels the person is told of which severity. */
export function ChannelTable({ chosen, onChange }: ChannelTableProps) {
  const hint = useId();
  const { data: channels = [] } = useQuery(allChannels);
  const me = signedInUser().userID;
  const own = channels.filter(({ userID }) => userID === me);
  const toggle = (severity: RuleSeverity, channelID: number) => {
    const before = chosen[severity];
    const isChosen = before.includes(channelID);
    const after = isChosen ? before.filter((key) => key !== channelID) : [...before, channelID];
    onChange({ ...chosen, [severity]: after });
  };
  return (
    <div class="field">
      <table class="told-by" aria-describedby={hint}>
        <caption class="copy-label">Told by</caption>
        <thead>
          <tr>
            <td />
            {ruleSeverities.map((severity) => (
              <th key={severity} scope="col">
                {severityTexts[severity]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">Bell</th>
            {ruleSeverities.map((severity) => (
              <td key={severity}>
                <input type="checkbox" checked disabled aria-label={`Bell: ${severityTexts[severity]}`} />
              </td>
            ))}
          </tr>
          {own.map((channel) => (
            <tr key={channel.key}>
              <th scope="row">
                <UserText text={channelText(channel)} />
                {channel.isEnabled === false && <span class="quiet"> switched off</span>}
              </th>
              {ruleSeverities.map((severity) => (
                <td key={severity}>
                  <input
                    type="checkbox"
                    checked={chosen[severity].includes(channel.key ?? 0)}
                    aria-label={`${channelText(channel)}: ${severityTexts[severity]}`}
                    onChange={() => toggle(severity, channel.key ?? 0)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint" id={hint}>
        When a rule tells you, or a team of yours. The bell has everything.{' '}
        <a href="/channels">{own.length === 0 ? 'Add a channel' : 'Your channels'}</a>
      </p>
    </div>
  );
}
