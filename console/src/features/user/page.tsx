import type { User } from '@earshot/contract/user';
import { useState } from 'preact/hooks';
import { isHeld } from '../../app/held.ts';
import { WhenLoaded } from '../../app/loaded.tsx';
import { useQuery } from '../../app/query.ts';
import { person } from '../../app/session.ts';
import { Badge, Given, PageHead } from '../../ui/bits.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Time } from '../../ui/time.tsx';
import { everyone, personName } from '../collection/data.ts';
import { changeUser, removeUser } from './actions.ts';
import { AddPersonDialog, ResetLinkDialog } from './dialogs.tsx';

export function PeoplePage() {
  const people = useQuery(everyone);
  const [adding, setAdding] = useState(false);
  const [resetting, setResetting] = useState<User | undefined>();
  return (
    <>
      <PageHead
        title="People"
        actions={
          <Button kind="primary" icon="add" onClick={() => setAdding(true)}>
            Add a person
          </Button>
        }
      />
      <div class="card">
        <WhenLoaded from={people}>
          {(list) => (
            <ul class="rows">
              {list
                .filter(({ key }) => !isHeld(`user ${key}`))
                .map((user) => (
                  <PersonRow key={user.key} user={user} onReset={setResetting} />
                ))}
            </ul>
          )}
        </WhenLoaded>
      </div>
      {adding && <AddPersonDialog onClose={() => setAdding(false)} />}
      {resetting && <ResetLinkDialog user={resetting} onClose={() => setResetting(undefined)} />}
    </>
  );
}

interface PersonRowProps {
  readonly user: User;
  readonly onReset: (user: User) => void;
}

function PersonRow({ user, onReset }: PersonRowProps) {
  const { key, email, displayName, role, disabled, lastSignInDate } = user;
  const isMe = key === person().userID;
  const name = personName(user);
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-icon">
          <Icon name="people" />
        </span>
        <span class="row-main">
          <span class="row-title">
            <Given text={name} />
            {isMe && <span class="quiet"> (you)</span>}
          </span>
          <span class="row-under">
            {displayName && <Given text={email} />}
            {lastSignInDate ? (
              <span>
                last sign-in <Time date={lastSignInDate} />
              </span>
            ) : (
              <span>never signed in</span>
            )}
          </span>
        </span>
        <span class="row-facts">
          {disabled ? (
            <Badge tone="warn">Disabled</Badge>
          ) : (
            <span class="quiet">{role === 'admin' ? 'Admin' : 'Member'}</span>
          )}
        </span>
      </div>
      <span class="row-actions">
        {isMe ? (
          <span class="no-action" />
        ) : (
          <Menu
            label={`More actions for ${name}`}
            items={[
              { label: 'Create reset link', icon: 'key', onSelect: () => onReset(user) },
              {
                label: role === 'admin' ? 'Change role to member' : 'Change role to admin',
                icon: 'people',
                onSelect: () => void changeUser(user, { role: role === 'admin' ? 'member' : 'admin' }),
              },
              {
                label: disabled ? 'Enable' : 'Disable',
                icon: disabled ? 'check' : 'close',
                onSelect: () => void changeUser(user, { disabled: !disabled }),
              },
              { label: 'Delete', icon: 'trash', danger: true, onSelect: () => removeUser(user) },
            ]}
          />
        )}
      </span>
    </li>
  );
}
