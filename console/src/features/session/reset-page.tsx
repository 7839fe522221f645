import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { CardPage } from '../../lib/card-page.tsx';
import { PasswordField } from '../../lib/ui/field.tsx';
import { linkToken } from '../../lib/link-token.ts';

const words = { 401: 'This link has expired or was already used. Ask an admin for a new one.' };

export function ResetPage() {
  if (linkToken.value === '') {
    return (
      <CardPage title="Open the complete link" after={<a href="/">Sign in</a>}>
        <p>Open the complete link that an admin sent you, including everything after the # sign.</p>
      </CardPage>
    );
  }
  return (
    <CardPage title="Choose a new password" lead={<p>This signs you out of all your sessions.</p>}>
      <ApiForm
        submit="Set password"
        words={words}
        wide
        onSend={async ({ password = '' }) => {
          await api.usePasswordReset({ body: { token: linkToken.value, password } });
          location.replace('/#password-changed');
        }}
      >
        <PasswordField name="password" label="New password" isNew />
      </ApiForm>
    </CardPage>
  );
}
