import { emailLength } from '@earshot/contract/user';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { CardPage } from '../../lib/card-page.tsx';
import { navigate } from '../../lib/location.ts';
import { beginSession } from '../../lib/session.ts';
import { PasswordField, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { linkToken } from '../../lib/link-token.ts';

const words = {
  401: 'This link has expired or was already used. Restart the server to print a new one.',
  409: 'An account already exists. Sign in with it on the start page.',
};

export function SetUpPage() {
  if (linkToken.value === '') return <WithoutLink />;
  const create = async ({ email = '', password = '' }: Values) => {
    const made = await api.setUp({ body: { token: linkToken.value, email, password } });
    beginSession(made);
    navigate('/', 'replace');
  };
  return (
    <CardPage
      title="Set up Earshot"
      lead={<p>Create the first account. It has the admin role and can add other people.</p>}
    >
      <ApiForm submit="Create account" onSend={create} words={words} wide>
        <TextField name="email" label="Email" type="email" autoComplete="username" maxLength={emailLength} focused />
        <PasswordField name="password" label="Password" isNew />
      </ApiForm>
    </CardPage>
  );
}

function WithoutLink() {
  return (
    <CardPage
      title="Open the setup link"
      after={
        <p>
          Already have an account? <a href="/">Sign in</a>.
        </p>
      }
    >
      <p>In the terminal or log of the server, find a line that ends with</p>
      <pre>/setup#token=…</pre>
      <p>Open the complete link. It expires after one hour. Restart the server to print a new one.</p>
    </CardPage>
  );
}
