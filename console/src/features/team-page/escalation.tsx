import type { Team } from '@earshot/contract/team';
import { longestEscalateSeconds, shortestEscalateSeconds } from '@earshot/contract/team';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { refresh } from '../../lib/query.ts';
import { isAdmin } from '../../lib/session.ts';
import { showToast } from '../../lib/toasts.ts';
import { Section } from '../../lib/ui/elements.tsx';
import { SelectField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';

const usualMinutes = [5, 10, 15, 30, 60, 120, 240];

const durationText = (minutes: number): string => {
  const [count, unit] = minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
};

const next = 'those are told whose duty is next; after as long again the whole team, and then the admins';

/** What happens with an alert that the team was told of and nobody acknowledges; admins change it. */
export function EscalationSection({ team }: { readonly team: Team }) {
  const { key: teamID = 0, escalateSeconds } = team;
  const minutes = escalateSeconds === undefined ? undefined : Math.round(escalateSeconds / 60);
  const save = async ({ minutes: chosen = '' }: Values) => {
    const seconds = chosen === '0' ? null : Number(chosen) * 60;
    await api.updateTeam({ params: { teamID }, body: { escalateSeconds: seconds } });
    refresh(['teams']);
    showToast('Saved.');
  };
  const listed = [...new Set([...usualMinutes, ...(minutes === undefined ? [] : [minutes])])]
    .filter((each) => each * 60 >= shortestEscalateSeconds && each * 60 <= longestEscalateSeconds)
    .toSorted((one, other) => one - other);
  return (
    <Section title="When nobody acknowledges" bare>
      <div class="card padded">
        {isAdmin() ? (
          <ApiForm submit="Save the time" onSend={save}>
            <SelectField
              name="minutes"
              label="Tell others after"
              options={[
                { value: '0', label: 'Never' },
                ...listed.map((each) => ({ value: String(each), label: durationText(each) })),
              ]}
              value={String(minutes ?? 0)}
              hint={`If nobody acknowledges an alert, ${next}.`}
            />
          </ApiForm>
        ) : (
          <p>
            {minutes === undefined
              ? 'Nobody else is told when nobody acknowledges an alert.'
              : `If nobody acknowledges an alert for ${durationText(minutes)}, ${next}.`}
          </p>
        )}
      </div>
    </Section>
  );
}
