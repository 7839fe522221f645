import type { ListedUser } from '@earshot/contract/user-page';
import type { TableColumn } from '../../lib/table/column.ts';
import { Badge, UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { signedInUser } from '../../lib/session.ts';
import { userName } from './data.ts';

const roleText = ({ role }: ListedUser): string => (role === 'admin' ? 'Admin' : 'Member');

function PersonName({ row }: { readonly row: ListedUser }) {
  return (
    <>
      <a href={`/people/${row.key}`} tabIndex={-1}>
        <UserText text={userName(row)} />
      </a>
      {row.key === signedInUser().userID && <span class="quiet"> (you)</span>}
    </>
  );
}

const Role = ({ row }: { readonly row: ListedUser }) =>
  row.disabled ? <Badge tone="warn">Disabled</Badge> : <span>{roleText(row)}</span>;

const SignIn = ({ date }: { readonly date: string | undefined }) =>
  date ? <Time date={date} /> : <span class="quiet">Never</span>;

export const personColumns: readonly TableColumn<ListedUser>[] = [
  {
    name: 'name',
    label: 'Name',
    sort: 'displayName',
    width: 'minmax(10rem, 1.5fr)',
    isFixed: true,
    cell: (row) => <PersonName row={row} />,
    text: userName,
  },
  {
    name: 'email',
    label: 'Email',
    sort: 'email',
    width: 'minmax(12rem, 2fr)',
    cell: ({ email }) => <UserText text={email} />,
    text: ({ email }) => email,
  },
  { name: 'role', label: 'Role', width: '7rem', cell: (row) => <Role row={row} />, text: roleText },
  {
    name: 'sign-in',
    label: 'Last sign-in',
    sort: 'lastSignInDate',
    isLargestFirst: true,
    width: 'minmax(7rem, 1fr)',
    cell: ({ lastSignInDate }) => <SignIn date={lastSignInDate} />,
    text: ({ lastSignInDate = '' }) => lastSignInDate,
  },
  {
    name: 'created',
    label: 'Added',
    sort: 'creationDate',
    isLargestFirst: true,
    width: 'minmax(7rem, 1fr)',
    cell: ({ creationDate }) => <Time date={creationDate} />,
    text: ({ creationDate }) => creationDate,
  },
];

/** The two lines of a person on a phone. */
export function PersonLines({ row }: { readonly row: ListedUser }) {
  return (
    <>
      <span>
        <PersonName row={row} />
        <Role row={row} />
      </span>
      <span>
        {row.displayName && <UserText text={row.email} />}
        <SignIn date={row.lastSignInDate} />
      </span>
    </>
  );
}
