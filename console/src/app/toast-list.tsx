import type { Toast } from './toasts.ts';
import { dropToast, toasts } from './toasts.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';

/** What has just been done, with the way back where there is one. */
export function ToastList() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <ToastLine key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

function ToastLine({ toast }: { readonly toast: Toast }) {
  return (
    <div class={`toast ${toast.tone}`}>
      <Icon name={toast.tone === 'bad' ? 'alert' : 'check'} />
      <p dir="auto">{toast.text}</p>
      {toast.undo ? (
        <Button small kind="quiet" onClick={toast.undo}>
          Undo
        </Button>
      ) : (
        <Button small kind="quiet" icon="close" label="Dismiss" onClick={() => dropToast(toast.id)} />
      )}
    </div>
  );
}
