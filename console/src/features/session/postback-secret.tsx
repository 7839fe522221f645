import { useState } from 'preact/hooks';
import { api, errorMessage } from '../../lib/api.ts';
import { deferAction } from '../../lib/deferred.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { CopyField } from '../../lib/ui/copy-field.tsx';
import { Section } from '../../lib/ui/elements.tsx';

/** The secret is loaded and shown only on request. */
export function PostbackSecret() {
  const [secret, setSecret] = useState('');
  const show = async () => {
    try {
      setSecret((await api.getPostbackSecret()).postbackSecret);
    } catch (error) {
      showToast(errorMessage(error), { tone: 'bad' });
    }
  };
  const replace = () =>
    deferAction('postback secret', 'The postback secret is replaced. Give the new one to your receivers.', async () => {
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
