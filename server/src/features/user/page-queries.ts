import type { UserPageFilter, ListedUser, UserSort } from '@earshot/contract/user-page';
import { userSorts } from '@earshot/contract/user-page';
import type { DeclaredTable, PlacedKey } from '../../platform/table.ts';
import { containsText } from '../../platform/table.ts';

type PlacedUser = ListedUser & PlacedKey;

/** The table of people, for admins. */
export const userTable: DeclaredTable<UserSort, UserPageFilter, PlacedUser> = {
  sorts: userSorts,
  values: (db) => ({
    email: { value: db`u.email collate "C"`, kind: 'text', isAlwaysKnown: true },
    displayName: { value: db`lower(u.display_name) collate "C"`, kind: 'text' },
    creationDate: { value: db`u.creation_date`, kind: 'date', isAlwaysKnown: true },
    lastSignInDate: { value: db`u.last_sign_in_date`, kind: 'date' },
  }),
  key: (db) => db`u.key`,
  from: (db, _caller, { searchText, role, isDisabled }) => db`
    from users u where true ${containsText(db, searchText, db`u.email`, db`u.display_name`)}
    ${role === undefined ? db`` : db`and u.role = ${role}`}
    ${isDisabled === undefined ? db`` : db`and u.disabled = ${isDisabled}`}`,
  read: (db, _caller, page) => db<PlacedUser[]>`
    with ${page}
    select page.place, page.key, u.email, u.display_name as "displayName", u.role, u.disabled,
      u.creation_date as "creationDate", u.last_sign_in_date as "lastSignInDate"
    from page cross join lateral (select * from users o where o.key = page.key limit 1) u
    order by page.position`,
};
