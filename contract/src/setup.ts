import { Type } from 'typebox';
import { operation } from './operation.ts';
import { Session } from './session.ts';
import { Email, Password } from './user.ts';

const Setup = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 200,
      examples: ['…'],
      description: 'From the one-time link that the server prints at its first start.',
    }),
    email: Email,
    password: Password,
  },
  { title: 'Setup' },
);

export const setUp = operation('setup', {
  method: 'POST',
  path: '/v1/setup',
  repetition: 'differs',
  summary: 'Create the first account, an admin, and sign in',
  description: 'If an account exists: 409. If the token is wrong or expired: 401.',
  access: 'anyone',
  acts: [],
  body: Setup,
  answer: Session,
  errors: [401, 409],
  sameOrigin: true,
  trail: ['sign-in'],
});
