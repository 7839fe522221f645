import type { ChannelTest } from '@earshot/contract/channel';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { refresh } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Badge, UserText } from '../../lib/ui/elements.tsx';
import { channelText } from './data.ts';
import type { ChannelDialogProps } from './dialogs.tsx';

/** Sends a real message, and shows what was answered. */
export function TestDialog({ channel, onClose }: ChannelDialogProps) {
  const [answer, setAnswer] = useState<ChannelTest | undefined>();
  const { key: channelID = 0 } = channel;
  const send = async () => {
    setAnswer(await api.testChannel({ params: { channelID } }));
    refresh(['channels', `deliveries ${channelID}`]);
  };
  return (
    <Dialog title="Test channel" onClose={onClose}>
      {answer === undefined ? (
        <ApiForm submit="Send test" onSend={send} onCancel={onClose}>
          <p>
            A test message is sent by <UserText text={channelText(channel)} /> now.
          </p>
        </ApiForm>
      ) : (
        <div class="stack" role="status">
          <p>{answer.isDelivered ? <Badge tone="good">Delivered</Badge> : <Badge tone="bad">Not delivered</Badge>}</p>
          <p>
            <UserText text={answer.answer} />
          </p>
          {answer.excerpt && (
            <pre class="output" dir="auto" tabIndex={0} aria-label="What was answered">
              {answer.excerpt}
            </pre>
          )}
          <div class="form-end">
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}
