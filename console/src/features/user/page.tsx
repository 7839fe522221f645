import type { User } from '@earshot/contract/user';
import { useState } from 'preact/hooks';
import { isDeferred } from '../../lib/deferred.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { signedInUser } from '../../lib/session.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Badge, UserText, PageHead } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Menu } from '../../lib/ui/menu.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { saveUser, deletePerson } from './actions.ts';
import { AddPersonDialog, ResetLinkDialog } from './dialogs.tsx';
import { allUsers, userName } from './data.ts';

export function PeoplePage() {
  const people = useQuery(allUsers);
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
                .filter(({ key }) => !isDeferred(`user ${key}`))
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
  const isMe = key === signedInUser().userID;
  const name = userName(user);
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-icon">
          <Icon name="people" />
        </span>
        <span class="row-main">
          <span class="row-title">
            <a class="plain" href={`/people/${key}`}>
              <UserText text={name} />
            </a>
            {isMe && <span class="quiet"> (you)</span>}
          </span>
          <span class="row-under">
            {displayName && <UserText text={email} />}
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
                onSelect: () => void saveUser(user, { role: role === 'admin' ? 'member' : 'admin' }),
              },
              {
                label: disabled ? 'Enable' : 'Disable',
                icon: disabled ? 'check' : 'close',
                onSelect: () => void saveUser(user, { disabled: !disabled }),
              },
              { label: 'Delete', icon: 'trash', danger: true, onSelect: () => deletePerson(user) },
            ]}
          />
        )}
      </span>
    </li>
  );
}
