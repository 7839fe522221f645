import { useState } from 'preact/hooks';
import { api, explain } from '../../app/api.ts';
import { hold } from '../../app/held.ts';
import { say } from '../../app/toasts.ts';
import { Section } from '../../ui/bits.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';

/** The secret is loaded and shown only on request. */
export function PostbackSecret() {
  const [secret, setSecret] = useState('');
  const show = async () => {
    try {
      setSecret((await api.getPostbackSecret()).postbackSecret);
    } catch (error) {
      say(explain(error), { tone: 'bad' });
    }
  };
  const replace = () =>
    hold('postback secret', 'The postback secret is replaced. Give the new one to your receivers.', async () => {
      setSecret((await api.rotatePostbackSecret()).postbackSecret);
    });
  return (
    <Section title="Postback secret" bare>
      <div class="card padded stack">
        <p class="quiet">
          The server signs postbacks with this secret (Standard Webhooks). Receivers use it to verify that a postback
          comes from this server.
        </p>
        {secret && <CopyField label="Secret" text={secret} />}
        <div class="buttons">
          {!secret && <Button onClick={() => void show()}>Show</Button>}
          <Button kind="danger" onClick={replace}>
            Replace
          </Button>
        </div>
      </div>
    </Section>
  );
}
