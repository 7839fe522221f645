import type { ListedUser, UserPageFilter } from '@earshot/contract/user-page';
import { userSorts } from '@earshot/contract/user-page';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { isDeferred } from '../../lib/deferred.ts';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { signedInUser } from '../../lib/session.ts';
import { TableView } from '../../lib/table/table-view.tsx';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { FilterSelect } from '../../lib/ui/filter.tsx';
import { Menu } from '../../lib/ui/menu.tsx';
import { saveUser, deletePerson } from './actions.ts';
import { PersonLines, personColumns } from './columns.tsx';
import { AddPersonDialog, ResetLinkDialog } from './dialogs.tsx';
import { userName } from './data.ts';

const roles = [
  { value: '', label: 'All' },
  { value: 'admin', label: 'Admins' },
  { value: 'member', label: 'Members' },
  { value: 'disabled', label: 'Disabled' },
] as const;

const filterOf = (role: string | null): UserPageFilter => {
  if (role === 'disabled') return { isDisabled: true };
  return role === 'admin' || role === 'member' ? { role } : {};
};

export function PeoplePage() {
  const [adding, setAdding] = useState(false);
  const [resetting, setResetting] = useState<ListedUser | undefined>();
  const role = currentLocation.value.query.get('role');
  const filter = filterOf(role);
  return (
    <>
      <PageHead
        title="People"
        actions={
          <Button kind="primary" icon="add" onClick={() => setAdding(true)}>
            Add a person
          </Button>
        }
      />
      <TableView
        name="people"
        label="People"
        columns={personColumns}
        sorts={userSorts}
        search="Search by name or email"
        filters={
          <FilterSelect
            label="Role"
            value={role ?? ''}
            options={roles}
            onChange={(value) => setQuery({ role: value })}
          />
        }
        filterCount={Object.keys(filter).length}
        filter={filter}
        load={(request) => api.listUserPage({ body: { ...filter, ...request } })}
        reloadedWith="people"
        nameOf={userName}
        hrefOf={({ key }) => `/people/${key}`}
        isGone={({ key }) => isDeferred(`user ${key}`)}
        actions={{ widthRem: 2.5, cell: (row) => <PersonActions user={row} onReset={setResetting} /> }}
        lines={(row) => <PersonLines row={row} />}
        countText={(count) => countText(count, 'person', 'people')}
        empty={() => <Empty icon="search" title="No matching people" />}
      />
      {adding && <AddPersonDialog onClose={() => setAdding(false)} />}
      {resetting && <ResetLinkDialog user={resetting} onClose={() => setResetting(undefined)} />}
    </>
  );
}

interface PersonActionsProps {
  readonly user: ListedUser;
  readonly onReset: (user: ListedUser) => void;
}

function PersonActions({ user, onReset }: PersonActionsProps) {
  const { key, role, disabled } = user;
  if (key === signedInUser().userID) return null;
  return (
    <Menu
      label={`More actions for ${userName(user)}`}
      items={[
        { label: 'Create reset link', icon: 'key', onSelect: () => onReset(user) },
        {
          label: role === 'admin' ? 'Change role to member' : 'Change role to admin',
          icon: 'people',
          onSelect: () => void saveUser(user, { role: role === 'admin' ? 'member' : 'admin' }),
        },
        {
          label: disabled ? 'Enable' : 'Disable',
          icon: disabled ? 'check' : 'close',
          onSelect: () => void saveUser(user, { disabled: !disabled }),
        },
        { label: 'Delete', icon: 'trash', danger: true, onSelect: () => deletePerson(user) },
      ]}
    />
  );
}
