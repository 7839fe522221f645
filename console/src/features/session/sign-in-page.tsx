import { emailLength } from '@earshot/contract/user';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { CardPage } from '../../lib/card-page.tsx';
import { beginSession } from '../../lib/session.ts';
import { PasswordField, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';

/** Read once, so that the message is not shown again after the next sign-out. */
function takeNews(): string {
  if (location.hash !== '#password-changed') return '';
  history.replaceState(null, '', location.pathname);
  return 'Your password is changed. Sign in with the new one.';
}
const news = takeNews();

const words = { 401: 'Wrong email or password.' };

export function SignInPage({ reason }: { readonly reason: string }) {
  const signIn = async ({ email = '', password = '' }: Values) => {
    beginSession(await api.createSession({ body: { email, password } }));
  };
  const message = reason || news;
  return (
    <CardPage
      title="Sign in"
      lead={message && <p role="status">{message}</p>}
      after={
        <>
          <p>First start? Open the setup link that the server printed.</p>
          <p>Forgot your password? Ask an admin for a reset link.</p>
        </>
      }
    >
      <ApiForm submit="Sign in" onSend={signIn} words={words} wide>
        <TextField name="email" label="Email" type="email" autoComplete="username" maxLength={emailLength} focused />
        <PasswordField name="password" label="Password" />
      </ApiForm>
    </CardPage>
  );
}
