import { api } from '../../app/api.ts';
import { ApiForm } from '../../app/api-form.tsx';
import { Lone } from '../../app/lone.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { linkToken } from './link-token.ts';

const words = { 401: 'This link is not valid any more. Ask an admin for a new one.' };

export function ResetPage() {
  if (linkToken.value === '') {
    return (
      <Lone title="Open the whole link" after={<a href="/">Sign in</a>}>
        <p>This page needs the link that an admin gave you, with all that follows the # sign.</p>
      </Lone>
    );
  }
  return (
    <Lone title="Choose a new password" lead={<p>It ends every session of yours, here and elsewhere.</p>}>
      <ApiForm
        submit="Set the password"
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
