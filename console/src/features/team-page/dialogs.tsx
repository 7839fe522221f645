import type { Team } from '@earshot/contract/team';
import { longTextLength, shortTextLength } from '@earshot/contract/values';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { navigate } from '../../lib/location.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { viewerZone } from '../../lib/ui/clock.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Empty } from '../../lib/ui/elements.tsx';
import { SelectField, TextArea, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { allUsers, userName } from '../user/public.ts';

interface TeamDialogProps {
  /** The team to change; without it a new one is made. */
  readonly team?: Team;
  readonly onClose: () => void;
}

export function TeamDialog({ team, onClose }: TeamDialogProps) {
  const save = async ({ teamName = '', teamDescription, timeZone }: Values) => {
    const body = { teamName, teamDescription: teamDescription || null, timeZone: timeZone || null };
    if (team) await api.updateTeam({ params: { teamID: team.key ?? 0 }, body });
    const made = team ?? (await api.createTeam({ body }));
    refresh(['teams']);
    onClose();
    if (!team) navigate(`/teams/${made.key}`);
  };
  return (
    <Dialog title={team ? 'Edit the team' : 'Make a team'} onClose={onClose}>
      <ApiForm submit={team ? 'Save' : 'Make'} onSend={save} onCancel={onClose}>
        <TextField name="teamName" label="Name" value={team?.teamName ?? ''} maxLength={shortTextLength} focused />
        <TextArea
          name="teamDescription"
          label="Description"
          value={team?.teamDescription ?? ''}
          maxLength={longTextLength}
          optional
        />
        <TextField
          name="timeZone"
          label="Time zone of its rota"
          value={team ? (team.timeZone ?? '') : viewerZone()}
          list={Intl.supportedValuesOf('timeZone')}
          hint="Empty: UTC."
          code
          optional
        />
      </ApiForm>
    </Dialog>
  );
}

interface AddPersonProps {
  readonly team: Team;
  readonly onClose: () => void;
}

export function AddTeamPersonDialog({ team, onClose }: AddPersonProps) {
  const { data: people = [] } = useQuery(allUsers);
  const others = people.filter(({ key = 0 }) => !team.userIDs.includes(key));
  const add = async ({ userID = '' }: Values) => {
    await api.addTeamPerson({ params: { teamID: team.key ?? 0, userID: Number(userID) } });
    refresh(['teams']);
    onClose();
  };
  return (
    <Dialog title="Add a person to the team" onClose={onClose}>
      {others.length === 0 ? (
        <Empty title="Everybody is in this team">An admin can add people to this installation.</Empty>
      ) : (
        <ApiForm submit="Add" onSend={add} onCancel={onClose}>
          <SelectField
            name="userID"
            label="Person"
            options={others.map((person) => ({ value: String(person.key), label: userName(person) }))}
            value={String(others[0]?.key ?? '')}
          />
          <p class="hint">The person can reach all that the team can reach.</p>
        </ApiForm>
      )}
    </Dialog>
  );
}
