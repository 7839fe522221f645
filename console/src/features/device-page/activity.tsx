import type { Device } from '@earshot/contract/device';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { LinkButton } from '../../lib/ui/button.tsx';
import { Badge, Empty, UserText, Section } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { newestClips } from '../audio-clip/public.ts';
import { ClipRow } from '../audio-clip/public.tsx';
import { newestEvents } from '../event/public.ts';
import { EventRow } from '../event/public.tsx';
import type { AgentWithNames } from './data.ts';
import { agentsOf } from './data.ts';

/** Events, recent clips and agents of the device. */
export function Activity({ device }: { readonly device: Device }) {
  const deviceID = device.key ?? 0;
  const events = useQuery(newestEvents(deviceID, 10));
  const clips = useQuery(newestClips(deviceID, 8));
  return (
    <div class="columns even">
      <div>
        <Section title="Events" action={<a href={`/events?status=history&device=${deviceID}`}>All events</a>}>
          <WhenLoaded from={events}>
            {(list) =>
              list.length === 0 ? (
                <Empty title="No events yet">Send an event to see its progress here.</Empty>
              ) : (
                <ul class="rows" aria-live="polite">
                  {list.map((event) => (
                    <EventRow key={event.key} event={event} withoutDevice />
                  ))}
                </ul>
              )
            }
          </WhenLoaded>
        </Section>
        <Section title="Recent clips">
          <WhenLoaded from={clips}>
            {(list) =>
              list.length === 0 ? (
                <Empty title="No clips yet">Clips appear here as soon as the device announces them.</Empty>
              ) : (
                <ul class="rows">
                  {list.map((clip) => (
                    <ClipRow key={clip.key} clip={clip} zone={device.timeZone} withoutDevice />
                  ))}
                </ul>
              )
            }
          </WhenLoaded>
        </Section>
      </div>
      <Agents device={device} />
    </div>
  );
}

function Agents({ device }: { readonly device: Device }) {
  const agents = useQuery(agentsOf(device.key ?? 0));
  return (
    <Section title="Agents" {...(agents.data?.length ? { count: agents.data.length } : {})}>
      <WhenLoaded from={agents}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              title="No agents yet"
              action={<LinkButton href={`/devices/${device.key}?tab=settings#keys`}>Connect the device</LinkButton>}
            >
              An agent is a program on the device. Create a key for it, then run the displayed command on the device.
            </Empty>
          ) : (
            <ul class="rows">
              {list.map((agent) => (
                <AgentRow key={agent.key} agent={agent} zone={device.timeZone} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Section>
  );
}

function AgentRow({ agent, zone }: { readonly agent: AgentWithNames; readonly zone: string | undefined }) {
  const { agentName, agentType, agentIndex = 0, version, currentEventID, lastHeardFromDate, recentOutput } = agent;
  return (
    <li class="row agent">
      <div class="agent-head">
        <span class="row-main">
          <span class="row-title">
            <UserText text={agentName || agentType} />
            {agentIndex > 0 && ` ${agentIndex}`}
          </span>
          <span class="row-under">
            {version && <UserText text={`Version ${version}`} />}
            {lastHeardFromDate && <Time date={lastHeardFromDate} zone={zone} />}
          </span>
        </span>
        {currentEventID ? (
          <a href={`/events/${currentEventID}`}>
            <Badge tone="busy">Working</Badge>
          </a>
        ) : (
          <Badge tone="idle">Idle</Badge>
        )}
      </div>
      {recentOutput && (
        <pre class="output" dir="auto" tabIndex={0} aria-label={`Recent output of ${agentName || agentType}`}>
          {recentOutput}
        </pre>
      )}
    </li>
  );
}
