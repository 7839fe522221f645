import type { Session } from '@earshot/contract/session';
import { shortTextLength } from '@earshot/contract/values';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Query } from '../../lib/query.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { beginSession, signedInUser } from '../../lib/session.ts';
import type { Theme } from '../../lib/theme.ts';
import { chooseTheme, chosenTheme } from '../../lib/theme.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { PageHead, Section } from '../../lib/ui/elements.tsx';
import { PasswordField, TextField } from '../../lib/ui/field.tsx';
import { Choice } from '../../lib/ui/tabs.tsx';
import { BellMannersSection } from '../bell-manners/public.tsx';
import { LanguagesSection } from '../spoken-language/public.tsx';
import { PostbackSecret } from './postback-secret.tsx';
import { SessionRow } from './session-row.tsx';
import { signOutHere } from './sign-out.ts';

const platformVersion: Query<string> = {
  key: 'version',
  load: async () => (await api.getVersion()).Version,
};
const mySessions: Query<readonly Session[]> = { key: 'sessions', load: () => api.listSessions() };

export function SettingsPage() {
  const { email, role } = signedInUser();
  const { data: version } = useQuery(platformVersion);
  return (
    <>
      <PageHead
        title="Settings"
        under={
          <span>
            Signed in as <bdi>{email}</bdi>
            {role === 'admin' && ' (admin)'}
            {version && ` · Earshot ${version}`}
          </span>
        }
        actions={
          <Button icon="leave" onClick={() => void signOutHere()}>
            Sign out
          </Button>
        }
      />
      <div class="beside">
        <Appearance />
        <Name />
        <Password />
        <BellMannersSection />
        <Sessions />
        <PostbackSecret />
        {role === 'admin' && (
          <LanguagesSection title="Spoken languages of the installation" scope="installation" mayEdit />
        )}
      </div>
    </>
  );
}

const themes: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

function Appearance() {
  const [theme, setTheme] = useState(chosenTheme);
  const choose = (chosen: Theme) => {
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return (
    <Section title="Appearance" bare>
      <div class="card padded">
        <Choice label="Colours" options={themes} value={theme} onChange={choose} />
      </div>
    </Section>
  );
}

function Name() {
  const me = signedInUser();
  return (
    <Section title="Profile" bare action={<a href={`/people/${me.userID}`}>What you can reach</a>}>
      <div class="card padded">
        <ApiForm
          submit="Save"
          onSend={async ({ displayName = '' }) => {
            await api.updateUser({ params: { userID: me.userID ?? 0 }, body: { displayName: displayName || null } });
            beginSession(await api.getSession());
            showToast('Saved.');
          }}
        >
          <TextField
            name="displayName"
            label="Name"
            value={me.displayName ?? ''}
            hint="Visible to people you share collections with."
            maxLength={shortTextLength}
            optional
          />
        </ApiForm>
      </div>
    </Section>
  );
}

const words = { 403: 'The current password is wrong.' };

function Password() {
  const [round, setRound] = useState(0);
  return (
    <Section title="Password" bare>
      <div class="card padded">
        <ApiForm
          key={round}
          submit="Change password"
          words={words}
          onSend={async ({ oldPassword = '', newPassword = '' }) => {
            await api.changePassword({ body: { oldPassword, newPassword } });
            refresh(['sessions']);
            showToast('Your password is changed. Your other sessions are ended.');
            setRound(round + 1);
          }}
        >
          <PasswordField name="oldPassword" label="Current password" />
          <PasswordField name="newPassword" label="New password" isNew />
        </ApiForm>
      </div>
    </Section>
  );
}

function Sessions() {
  const sessions = useQuery(mySessions);
  return (
    <Section title="Active sessions">
      <WhenLoaded from={sessions}>
        {(list) => (
          <ul class="rows">
            {list.map((one) => (
              <SessionRow key={one.key} session={one} />
            ))}
          </ul>
        )}
      </WhenLoaded>
    </Section>
  );
}
