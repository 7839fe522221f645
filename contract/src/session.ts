import type { Static } from 'typebox';
import { Type } from 'typebox';
import { placePattern } from './live-place.ts';
import { operation } from './operation.ts';
import { emailLength, Password, Role } from './user.ts';
import { DateTime, Key, longTextLength, PathKey, shortTextLength, text } from './values.ts';

export const sessionCookie = 'earshot_session';
/** Its name if the public address of the server is https: browsers take this cookie from that host only. */
export const hostSessionCookie = `__Host-${sessionCookie}`;

/** A password to check: the rules for new passwords do not apply, so that a short one is not rejected differently. */
const PasswordTried = Type.String({ maxLength: 1_024, examples: ['correct horse battery staple'] });

export const Session = Type.Object(
  {
    key: Type.Optional(Key),
    userID: Type.Optional(Key),
    email: Type.Optional(text(emailLength)),
    displayName: Type.Optional(text(shortTextLength)),
    role: Type.Optional(Role),
    address: Type.Optional(text(64)),
    userAgent: Type.Optional(text(longTextLength)),
    current: Type.Optional(Type.Boolean({ description: 'Whether it is the session of this request.' })),
    creationDate: Type.Optional(DateTime),
    lastAccessDate: Type.Optional(DateTime),
    expirationDate: Type.Optional(DateTime),
    livePosition: Type.Optional(
      Type.String({
        pattern: placePattern,
        description:
          'Of the session of this request: a live stream with this `Last-Event-ID` sends every change since this answer, so ' +
          'what you read after it need not be read again when the stream opens.',
      }),
    ),
  },
  { title: 'Session', description: 'A person signed in with a browser.' },
);
export type Session = Static<typeof Session>;

const SignIn = Type.Object(
  { email: Type.String({ maxLength: emailLength, examples: ['ada@example.org'] }), password: PasswordTried },
  { title: 'SignIn' },
);

const ChangePassword = Type.Object(
  {
    oldPassword: PasswordTried,
    newPassword: Type.String({ ...Password, examples: ['a quite different phrase'] }),
  },
  { title: 'ChangePassword' },
);

const UsePasswordReset = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200, examples: ['…'] }), password: Password },
  { title: 'UsePasswordReset' },
);

const PostbackSecret = Type.Object(
  {
    postbackSecret: Type.String({
      description: 'Signs the postbacks of your events (Standard Webhooks): `whsec_` and base64.',
    }),
  },
  { title: 'PostbackSecret' },
);

export const createSession = operation('session', {
  method: 'POST',
  path: '/v1/session',
  repetition: 'differs',
  summary: 'Sign in',
  description:
    'With `{email, password}`, or with HTTP Basic. Sets the session cookie, and ends the session of a cookie that the ' +
    'request carries. If the public address of the server is https, a browser must sign in over https: 403. ' +
    'After repeated failures the response is 429 with a `Retry-After` of at most a minute; after that time, the next ' +
    'attempt is checked. Failures of others do not block you: at an address or in a browser (which keeps a cookie ' +
    'for this) where you signed in before you do not wait for them, and elsewhere you wait at most some seconds.',
  access: 'anyone',
  acts: [],
  body: SignIn,
  bodyOptional: true,
  answer: Session,
  errors: [401],
  sameOrigin: true,
  trail: ['sign-in', 'sign-in-failed', 'sign-out'],
});

export const getSession = operation('session', {
  method: 'GET',
  path: '/v1/session',
  summary: 'Read who is signed in',
  access: 'session',
  acts: [],
  answer: Session,
});

export const deleteSession = operation('session', {
  method: 'DELETE',
  path: '/v1/session',
  summary: 'Sign out',
  access: 'session',
  acts: [],
  trail: ['sign-out'],
});

export const listSessions = operation('session', {
  method: 'GET',
  path: '/v1/session/list',
  summary: 'List your sessions',
  access: 'session',
  acts: [],
  lists: 'session',
  answer: Type.Array(Session),
});

export const endSession = operation('session', {
  method: 'DELETE',
  path: '/v1/session/{sessionID}',
  summary: 'End one of your sessions',
  access: 'session',
  acts: [{ record: 'session', right: 'own', by: 'params.sessionID' }],
  params: { sessionID: PathKey },
  trail: ['sign-out'],
});

export const changePassword = operation('session', {
  method: 'PUT',
  path: '/v1/session/password',
  repetition: 'differs',
  summary: 'Change your password',
  description: 'Ends your other sessions. A wrong old password: 403; repeatedly: 429 with `Retry-After`.',
  access: 'session',
  acts: [],
  body: ChangePassword,
  trail: ['password-changed'],
});

export const usePasswordReset = operation('session', {
  method: 'POST',
  path: '/v1/session/passwordreset',
  repetition: 'differs',
  summary: 'Choose a new password with a one-time link',
  description: 'Ends every session of the person. If the token is wrong, used or expired: 401.',
  access: 'anyone',
  acts: [],
  body: UsePasswordReset,
  errors: [401],
  sameOrigin: true,
  trail: ['password-changed'],
});

export const getPostbackSecret = operation('session', {
  method: 'GET',
  path: '/v1/session/postbacksecret',
  summary: 'Read the secret that signs your postbacks',
  access: 'session',
  acts: [],
  answer: PostbackSecret,
});

export const rotatePostbackSecret = operation('session', {
  method: 'POST',
  path: '/v1/session/postbacksecret',
  repetition: 'secret',
  summary: 'Replace the secret that signs your postbacks',
  access: 'session',
  acts: [],
  answer: PostbackSecret,
  trail: ['postback-secret-changed'],
});
