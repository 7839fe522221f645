import type { AlertState, RuleAlertDetails } from '@earshot/contract/alert';
import { alertStates } from '@earshot/contract/alert';
import { longTextLength } from '@earshot/contract/values';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import type { PageProps } from '../../lib/lazy-page.tsx';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { refresh, useQuery } from '../../lib/query.ts';
import { signedInUser } from '../../lib/session.ts';
import { dayAndTime } from '../../lib/ui/clock.ts';
import { Badge, PageHead, Section, UserText } from '../../lib/ui/elements.tsx';
import { TextArea } from '../../lib/ui/field.tsx';
import { FilterPick } from '../../lib/ui/filter-pick.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Choice } from '../../lib/ui/tabs.tsx';
import { actText, allRules, useRuleNames } from '../rule/public.ts';
import { SeverityBadge } from '../rule/public.tsx';
import { allUsers, userName } from '../user/public.ts';
import { matchesOf, oneAlert, silenceTexts, alertStateTexts, stateTones, updateAlert } from './data.ts';
import { devicesText } from './list-page.tsx';
import { AlertSounds } from './sounds.tsx';
import { momentsOf } from './timeline.ts';

export function AlertPage({ id }: PageProps) {
  const alert = useQuery(oneAlert(id));
  return <WhenLoaded from={alert}>{(data) => <AlertView alert={data} />}</WhenLoaded>;
}

function AlertView({ alert }: { readonly alert: RuleAlertDetails }) {
  const { key = 0, ruleID, ruleName, severity, state = 'open', silence, matchCount = 0 } = alert;
  const { data: rules = [] } = useQuery(allRules);
  const found = useQuery(matchesOf(key));
  // People who are told see the alert, not the rule of its owner.
  const rule = rules.find((one) => one.key === ruleID);
  return (
    <>
      <PageHead
        title={<UserText text={ruleName} />}
        back={{ href: '/alerts', label: 'Alerts' }}
        actions={<Report alertID={key} />}
        under={
          <>
            <SeverityBadge severity={severity} />
            <Badge tone={stateTones[state]}>{alertStateTexts[state]}</Badge>
            <UserText text={devicesText(alert)} />
            <span>{matchCount === 1 ? '1 match' : `${matchCount} matches`}</span>
            {rule && <a href={`/rules/${ruleID}`}>Rule</a>}
          </>
        }
      />
      {silence !== undefined && (
        <p class="notice" role="note">
          <span>{silenceTexts[silence]}</span>
        </p>
      )}
      <div class="columns alert-columns">
        <AlertSounds found={found} rule={rule} />
        <div>
          <Handling alert={alert} />
          <Timeline alert={alert} matches={found.data?.matches ?? []} />
          <Notes alertID={key} />
        </div>
      </div>
    </>
  );
}

const Report = ({ alertID }: { readonly alertID: number }) => (
  <>
    {(['html', 'jsonl'] as const).map((format) => (
      <a key={format} class="button plain" href={`/v1/alert/${alertID}/report?format=${format}`} download="">
        <Icon name="download" />
        <span>{format === 'html' ? 'Report' : 'JSON lines'}</span>
      </a>
    ))}
  </>
);

/** State and assignee: everybody who sees an alert may change them. */
function Handling({ alert: { key = 0, state = 'open', assigneeID } }: { readonly alert: RuleAlertDetails }) {
  const { data: users = [] } = useQuery(allUsers);
  return (
    <Section title="Handling" bare>
      <div class="card padded alert-handling">
        <Choice<AlertState>
          label="State"
          options={alertStates.map((value) => ({ value, label: alertStateTexts[value] }))}
          value={state}
          onChange={(next) => void updateAlert(key, { state: next })}
        />
        <FilterPick
          label="Assigned to"
          value={assigneeID === undefined ? '' : String(assigneeID)}
          all="Nobody"
          options={users.map((user) => ({ value: String(user.key), label: userName(user) }))}
          onChange={(value) => void updateAlert(key, { assigneeID: value === '' ? null : Number(value) })}
        />
      </div>
    </Section>
  );
}

interface TimelineProps {
  readonly alert: RuleAlertDetails;
  readonly matches: Parameters<typeof momentsOf>[1];
}

function Timeline({ alert, matches }: TimelineProps) {
  const names = useRuleNames();
  const me = signedInUser().userID;
  const moments = momentsOf(alert, matches, {
    person: (userID) =>
      userID === undefined ? 'a person who was removed' : userID === me ? 'you' : names.person(userID),
    act: (act) => actText(act, names),
  });
  return (
    <Section title="Timeline">
      <ol class="steps">
        {moments.map(({ ms, text, note }, at) => (
          <li class="step" key={at}>
            <div class="step-head">
              <UserText text={text} />
              <time dateTime={new Date(ms).toISOString()}>{dayAndTime(ms)}</time>
            </div>
            {note !== undefined && (
              <p class="step-text">
                <UserText text={note} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </Section>
  );
}

function Notes({ alertID }: { readonly alertID: number }) {
  const [round, setRound] = useState(0);
  const send = async ({ note = '' }: Readonly<Record<string, string>>) => {
    await api.addAlertNote({ params: { alertID }, body: { note } });
    refresh([`alert ${alertID}`]);
    setRound(round + 1);
  };
  return (
    <Section title="Write a note" bare>
      <div class="card padded">
        <ApiForm key={round} submit="Add note" onSend={send}>
          <TextArea
            name="note"
            label="Note"
            maxLength={longTextLength}
            hint="Seen by everybody who sees the alert. Notes cannot be changed."
          />
        </ApiForm>
      </div>
    </Section>
  );
}
