import type { Session } from '@earshot/contract/session';
import { shortTextLength } from '@earshot/contract/values';
import { useState } from 'preact/hooks';
import { api, explain } from '../../app/api.ts';
import { ApiForm } from '../../app/api-form.tsx';
import { sendHeld } from '../../app/held.ts';
import { WhenLoaded } from '../../app/loaded.tsx';
import { type Query, refresh, useQuery } from '../../app/query.ts';
import { beginSession, endSession, person } from '../../app/session.ts';
import { chooseTheme, chosenTheme, type Theme } from '../../app/theme.ts';
import { say } from '../../app/toasts.ts';
import { PageHead, Section } from '../../ui/bits.tsx';
import { Button } from '../../ui/button.tsx';
import { PasswordField, TextField } from '../../ui/field.tsx';
import { Choice } from '../../ui/tabs.tsx';
import { PostbackSecret } from './postback-secret.tsx';
import { SessionRow } from './session-row.tsx';

const mySessions: Query<readonly Session[]> = { key: 'sessions', load: () => api.listSessions() };

async function signOut(): Promise<void> {
  try {
    await sendHeld();
    await api.deleteSession();
    endSession('You are signed out.');
  } catch (error) {
    say(`You are still signed in. ${explain(error)}`, { tone: 'bad' });
  }
}

export function SettingsPage() {
  const { email, role } = person();
  return (
    <>
      <PageHead
        title="Settings"
        under={
          <span>
            Signed in as <bdi>{email}</bdi>
            {role === 'admin' && ' (admin)'}
          </span>
        }
        actions={
          <Button icon="leave" onClick={() => void signOut()}>
            Sign out
          </Button>
        }
      />
      <div class="beside">
        <Appearance />
        <Name />
        <Password />
        <Sessions />
        <PostbackSecret />
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
  const me = person();
  return (
    <Section title="Profile" bare>
      <div class="card padded">
        <ApiForm
          submit="Save"
          onSend={async ({ displayName = '' }) => {
            await api.updateUser({ params: { userID: me.userID ?? 0 }, body: { displayName: displayName || null } });
            beginSession(await api.getSession());
            say('Saved.');
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
            say('Your password is changed. Your other sessions are ended.');
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
