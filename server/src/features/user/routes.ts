import * as contract from '@earshot/contract/user';
import { listUserPage } from '@earshot/contract/user-page';
import { notFound } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { findTablePage } from '../../platform/table.ts';
import { userTable } from './page-queries.ts';
import { findUser, findUsers } from './queries.ts';
import { addPerson, editUser, eraseUser } from './rules.ts';
import type { UserParts } from './parts.ts';

export function serveUsers(http: HttpApp, parts: UserParts): void {
  const { db } = parts;
  serve(http, contract.createUser, ({ caller, body }) => addPerson(parts, caller, body));
  serve(http, contract.getUser, async ({ caller, params }) => {
    const user = await findUser(db, caller, params.userID);
    if (!user) throw notFound('user', params.userID);
    return user;
  });
  serve(http, contract.updateUser, ({ caller, params, body }) => editUser(parts, caller, params.userID, body));
  serve(http, contract.deleteUser, ({ caller, params }) => eraseUser(parts, caller, params.userID));
  serve(http, listUserPage, ({ caller, body }) => findTablePage(db, caller, userTable, body));
  serve(http, contract.listUsers, ({ caller }) => findUsers(db, caller));
}
