import { api } from '../../app/api.ts';
import { ApiForm } from '../../app/api-form.tsx';
import { Lone } from '../../app/lone.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { linkToken } from './link-token.ts';

const words = { 401: 'This link has expired or was already used. Ask an admin for a new one.' };

export function ResetPage() {
  if (linkToken.value === '') {
    return (
      <Lone title="Open the complete link" after={<a href="/">Sign in</a>}>
        <p>Open the complete link that an admin sent you, including everything after the # sign.</p>
      </Lone>
    );
  }
  return (
    <Lone title="Choose a new password" lead={<p>This signs you out of all your sessions.</p>}>
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
    </Lone>
  );
}
