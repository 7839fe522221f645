import { signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { isLocalAddress } from '../upload-key/public.tsx';

/** The address of this server that recorders use, without a slash at the end. */
export const serverAddress = signal(location.origin);

/** Asked only when the address of this page works on this computer alone. */
export function AddressField() {
  const id = useId();
  if (!isLocalAddress(location.hostname)) return null;
  return (
    <div class="field">
      <label for={id}>Address of this server for the recorder</label>
      <input
        id={id}
        class="input code"
        type="url"
        inputMode="url"
        spellcheck={false}
        autoComplete="off"
        value={serverAddress.value}
        aria-describedby={`${id}-hint`}
        onInput={({ currentTarget }) => (serverAddress.value = currentTarget.value.trim().replace(/\/+$/, ''))}
      />
      <p class="hint" id={`${id}-hint`}>
        {location.origin} works on this computer only. For another computer, write an address of this server that it can
        reach, such as http://192.168.1.20:{location.port || '80'}, and start the server with EARSHOT_HOST=0.0.0.0.
      </p>
    </div>
  );
}
