import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { saveFile } from '../../lib/save-file.ts';
import { Icon } from '../../lib/ui/icon.tsx';

const title =
  'One signed file: hashes, changes, who played and exported the clip, with proofs. earshot verify-custody checks it.';

export function CustodyButton({ clipID }: { readonly clipID: number }) {
  const save = () =>
    attempt(async () => {
      const custody = await api.exportCustody({ params: { audioClipID: clipID } });
      const text = `${JSON.stringify(custody, undefined, 2)}\n`;
      saveFile(new Blob([text], { type: 'application/json' }), `custody-${clipID}.json`);
    });
  return (
    <button class="button small" type="button" title={title} onClick={() => void save()}>
      <Icon name="file" />
      <span>Custody file</span>
    </button>
  );
}
