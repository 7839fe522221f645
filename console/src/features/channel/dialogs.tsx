import type { Channel } from '@earshot/contract/channel';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { refresh } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { UserText } from '../../lib/ui/elements.tsx';
import { channelText } from './data.ts';
import { DeliveriesDialog } from './deliveries.tsx';
import { CreateDialog, EditDialog } from './form.tsx';
import { TestDialog } from './test-dialog.tsx';

export type ChannelAction = 'create' | 'edit' | 'test' | 'deliveries' | 'delete';

export interface ChannelDialogProps {
  readonly channel: Channel;
  readonly onClose: () => void;
}

interface AnyDialogProps {
  readonly action: ChannelAction;
  /** Missing for a new channel. */
  readonly channel?: Channel;
  readonly onClose: () => void;
}

export function ChannelDialog({ action, channel = { secretsSet: [] }, onClose }: AnyDialogProps) {
  const Shown = {
    create: CreateDialog,
    edit: EditDialog,
    test: TestDialog,
    deliveries: DeliveriesDialog,
    delete: DeleteDialog,
  }[action];
  return <Shown channel={channel} onClose={onClose} />;
}

function DeleteDialog({ channel, onClose }: ChannelDialogProps) {
  const remove = async () => {
    await api.deleteChannel({ params: { channelID: channel.key ?? 0 } });
    refresh(['channels', 'subscriptions']);
    showToast('The channel is deleted.');
    onClose();
  };
  return (
    <Dialog title="Delete channel" onClose={onClose}>
      <ApiForm submit="Delete channel" onSend={remove} onCancel={onClose}>
        <p>
          Rules then tell nobody by <UserText text={channelText(channel)} />. What it has sent stays where it arrived.
        </p>
      </ApiForm>
    </Dialog>
  );
}
