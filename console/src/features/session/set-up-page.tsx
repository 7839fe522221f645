import { emailLength } from '@earshot/contract/user';
import { api } from '../../app/api.ts';
import { ApiForm } from '../../app/api-form.tsx';
import { Lone } from '../../app/lone.tsx';
import { go } from '../../app/router.ts';
import { beginSession } from '../../app/session.ts';
import { PasswordField, TextField } from '../../ui/field.tsx';
import type { Values } from '../../ui/form.tsx';
import { linkToken } from './link-token.ts';

const words = {
  401: 'This link is not valid any more. Start the server again: it prints a new one.',
  409: 'There is an account already. Sign in with it on the start page.',
};

export function SetUpPage() {
  if (linkToken.value === '') return <WithoutLink />;
  const create = async ({ email = '', password = '' }: Values) => {
    const made = await api.setUp({ body: { token: linkToken.value, email, password } });
    beginSession(made);
    go('/', 'replace');
  };
  return (
    <Lone
      title="Set up Earshot"
      lead={<p>Create the first account. It is the admin of this installation and can add everyone else.</p>}
    >
      <ApiForm submit="Create the account" onSend={create} words={words} wide>
        <TextField name="email" label="Email" type="email" autoComplete="username" maxLength={emailLength} focused />
        <PasswordField name="password" label="Password" isNew />
      </ApiForm>
    </Lone>
  );
}

function WithoutLink() {
  return (
    <Lone
      title="Open the set-up link"
      after={
        <p>
          There is an account already? <a href="/">Sign in</a>.
        </p>
      }
    >
      <p>Look where the server was started, or in its log, for a line that ends in</p>
      <pre>/setup#token=…</pre>
      <p>and open that whole link. It works for one hour; starting the server again prints a new one.</p>
    </Lone>
  );
}
