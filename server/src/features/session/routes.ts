import type { Session } from '@earshot/contract/session';
import * as contract from '@earshot/contract/session';
import { createPasswordReset as createPasswordResetOperation } from '@earshot/contract/user';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { listSessionsOf } from './queries.ts';
import {
  changeOwnPassword,
  issuePasswordReset,
  endOwnSession,
  readPostbackSecret,
  renewPostbackSecret,
  signIn,
  signOut,
  redeemPasswordReset,
} from './rules.ts';
import type { UseLog } from '../caller/public.ts';
import type { Live } from '../live/public.ts';
import type { SessionParts } from './open-session.ts';
import { readSession } from './open-session.ts';

export function serveSessions(http: HttpApp, parts: SessionParts & { live: Live; useLog: UseLog }): void {
  const { db, live, useLog } = parts;
  const withPosition = async (session: Session): Promise<Session> => ({
    ...session,
    livePosition: await live.findPlace(),
  });
  serve(http, contract.createSession, async ({ body, exchange }) => withPosition(await signIn(parts, body, exchange)));
  serve(http, contract.getSession, async ({ caller }) => withPosition(await readSession(db, caller.sessionID)));
  serve(http, contract.deleteSession, ({ caller, exchange }) => signOut(parts, caller, exchange));
  serve(http, contract.listSessions, async ({ caller }) => {
    await useLog.flush();
    return listSessionsOf(db, caller.userID, caller.sessionID);
  });
  serve(http, contract.endSession, ({ caller, params }) => endOwnSession(parts, caller, params.sessionID));
  serve(http, contract.changePassword, ({ caller, body }) => changeOwnPassword(parts, caller, body));
  serve(http, createPasswordResetOperation, ({ caller, params, exchange }) =>
    issuePasswordReset(parts, caller, params.userID, http.options.publicOrigin ?? exchange.consoleOrigin),
  );
  serve(http, contract.usePasswordReset, ({ body }) => redeemPasswordReset(parts, body));
  serve(http, contract.getPostbackSecret, ({ caller }) => readPostbackSecret(parts, caller));
  serve(http, contract.rotatePostbackSecret, ({ caller }) => renewPostbackSecret(parts, caller));
}
