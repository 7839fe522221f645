import { activeTimeText } from '@earshot/contract/rule-sentence';
import type { Team, TeamDuty, TeamDutyAt } from '@earshot/contract/team';
import { mostDuties } from '@earshot/contract/team';
import type { User } from '@earshot/contract/user';
import { updateTeam } from '@earshot/contract/team';
import { useRef, useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { refresh } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, Section, UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { may } from '../right/public.ts';
import { ActiveTime } from '../rule/public.tsx';
import { userName } from '../user/public.ts';

interface RotaProps {
  readonly team: Team;
  readonly people: readonly User[];
  readonly duty: TeamDutyAt | undefined;
}

/** Who is on duty now, and the week; admins change it. */
export function RotaSection(props: RotaProps) {
  return (
    <Section title="Rota" bare>
      <div class="card padded stack">
        <OnDuty {...props} />
        {may(updateTeam) ? <RotaForm {...props} /> : <Week {...props} />}
      </div>
    </Section>
  );
}

const nameIn = (people: readonly User[], userID: number): string => {
  const person = people.find(({ key }) => key === userID);
  return person ? userName(person) : `Person ${userID}`;
};

const namesIn = (people: readonly User[], userIDs: readonly number[]): string =>
  userIDs.map((userID) => nameIn(people, userID)).join(', ');

function OnDuty({ people, duty }: RotaProps) {
  if (!duty) return null;
  return (
    <p>
      {duty.userIDs.length > 0 ? (
        <>
          On duty now: <UserText text={namesIn(people, duty.userIDs)} />.
        </>
      ) : (
        'Nobody is on duty now: rules tell everybody in the team.'
      )}
      {duty.nextDate && (
        <span class="quiet">
          {' '}
          Next: <UserText text={namesIn(people, duty.nextUserIDs)} />, <Time date={duty.nextDate} />.
        </span>
      )}
    </p>
  );
}

function Week({ team, people }: RotaProps) {
  if (team.rota.length === 0) return <Empty>This team has no rota.</Empty>;
  return (
    <ul class="rota">
      {team.rota.map((duty, at) => (
        <li key={at}>
          <UserText text={nameIn(people, duty.userID)} /> {activeTimeText(duty)}
        </li>
      ))}
    </ul>
  );
}

function RotaForm({ team, people }: RotaProps) {
  const [rota, setRota] = useState<readonly TeamDuty[]>(team.rota);
  const root = useRef<HTMLDivElement>(null);
  const focusSoon = (selector: string) =>
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(selector)?.focus());
  const add = () => {
    setRota([...rota, { userID: people[0]?.key ?? 0, from: '08:00', to: '18:00' }]);
    focusSoon('.rule-time:nth-last-child(1 of .rule-time) select');
  };
  const remove = (at: number) => {
    setRota(rota.toSpliced(at, 1));
    focusSoon('.rule-add button');
  };
  const save = async () => {
    await api.updateTeam({ params: { teamID: team.key ?? 0 }, body: { rota: [...rota] } });
    refresh(['teams']);
    showToast('Saved.');
  };
  if (people.length === 0) return <p class="hint">Add people to the team first.</p>;
  return (
    <ApiForm submit="Save the rota" onSend={save}>
      <div class="rule-times" ref={root}>
        {rota.length === 0 && <span class="rule-any">No duties: rules tell everybody in the team.</span>}
        {rota.map((duty, at) => (
          <ActiveTime
            key={at}
            time={duty}
            at={at}
            noun="duty"
            zoneHint={team.timeZone ?? 'UTC'}
            onChange={(time) => setRota(rota.with(at, { ...time, userID: duty.userID }))}
            onRemove={() => remove(at)}
          >
            <select
              class="input rule-input"
              aria-label="Person"
              value={String(duty.userID)}
              onChange={({ currentTarget }) => setRota(rota.with(at, { ...duty, userID: Number(currentTarget.value) }))}
            >
              {people.map((person) => (
                <option key={person.key} value={String(person.key)}>
                  {userName(person)}
                </option>
              ))}
            </select>
          </ActiveTime>
        ))}
        {rota.length < mostDuties && (
          <span class="rule-add">
            <Button small kind="quiet" icon="add" onClick={add}>
              Add a duty
            </Button>
          </span>
        )}
      </div>
    </ApiForm>
  );
}
