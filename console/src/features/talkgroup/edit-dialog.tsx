import type { Talkgroup } from '@earshot/contract/radio';
import { longTextLength, shortTextLength } from '@earshot/contract/values';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { refresh } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';

interface EditTalkgroupDialogProps {
  readonly talkgroup: Talkgroup;
  readonly onClose: () => void;
}

export function EditTalkgroupDialog({ talkgroup: one, onClose }: EditTalkgroupDialogProps) {
  const { deviceID = 0, talkgroup = 0 } = one;
  const save = async ({ talkgroupLabel, talkgroupName, talkgroupGroup, talkgroupTag }: Values) => {
    await api.updateTalkgroup({
      params: { deviceID },
      body: {
        talkgroup,
        talkgroupLabel: talkgroupLabel || null,
        talkgroupName: talkgroupName || null,
        talkgroupGroup: talkgroupGroup || null,
        talkgroupTag: talkgroupTag || null,
      },
    });
    refresh(['talkgroups', 'radio call']);
    showToast('Saved.');
    onClose();
  };
  return (
    <Dialog title={`Talkgroup ${talkgroup}`} onClose={onClose}>
      <ApiForm submit="Save" onSend={save} onCancel={onClose}>
        <p class="hint">The names that you save here are kept: later uploads do not change them.</p>
        <TextField
          name="talkgroupLabel"
          label="Label"
          hint="A short name. For example: FIRE DISP"
          value={one.talkgroupLabel ?? ''}
          maxLength={shortTextLength}
          focused
          optional
        />
        <TextField
          name="talkgroupName"
          label="Name"
          hint="For example: County fire dispatch"
          value={one.talkgroupName ?? ''}
          maxLength={longTextLength}
          optional
        />
        <div class="fields-2">
          <TextField
            name="talkgroupGroup"
            label="Group"
            hint="For example: Fire"
            value={one.talkgroupGroup ?? ''}
            maxLength={shortTextLength}
            optional
          />
          <TextField
            name="talkgroupTag"
            label="Tag"
            hint="For example: Fire Dispatch"
            value={one.talkgroupTag ?? ''}
            maxLength={shortTextLength}
            optional
          />
        </div>
      </ApiForm>
    </Dialog>
  );
}
