import * as contract from '@earshot/contract/session';
import type { HttpApp } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';
import type { UseLog } from '../caller/use-log.ts';
import { listSessionsOf } from './queries.ts';
import type { SessionParts } from './rules.ts';
import {
  changePassword,
  endSession,
  readPostbackSecret,
  readSession,
  rotatePostbackSecret,
  signIn,
  signOut,
  usePasswordReset,
} from './rules.ts';

export function serveSessions(http: HttpApp, parts: SessionParts & { useLog: UseLog }): void {
  const { db, useLog } = parts;
  serve(http, contract.createSession, ({ body, exchange }) => signIn(parts, body, exchange));
  serve(http, contract.getSession, ({ caller }) => readSession(db, caller.sessionID));
  serve(http, contract.deleteSession, ({ caller, exchange }) => signOut(parts, caller, exchange));
  serve(http, contract.listSessions, async ({ caller }) => {
    await useLog.flush();
    return listSessionsOf(db, caller.userID, caller.sessionID);
  });
  serve(http, contract.endSession, ({ caller, params }) => endSession(parts, caller, params.sessionID));
  serve(http, contract.changePassword, ({ caller, body }) => changePassword(parts, caller, body));
  serve(http, contract.usePasswordReset, ({ body }) => usePasswordReset(parts, body));
  serve(http, contract.getPostbackSecret, ({ caller }) => readPostbackSecret(parts, caller));
  serve(http, contract.rotatePostbackSecret, ({ caller }) => rotatePostbackSecret(parts, caller));
}
