import { useEffect, useRef } from 'preact/hooks';
import type { Toast } from '../lib/toasts.ts';
import { dropToast, pauseToasts, toasts } from '../lib/toasts.ts';
import { Button } from '../lib/ui/button.tsx';
import { Icon } from '../lib/ui/icon.tsx';

/** Toasts, with an Undo button where the action can be undone. */
export function ToastList() {
  const list = useRef<HTMLDivElement>(null);
  const look = () => pauseToasts(list.current?.matches(':hover, :focus-within') ?? false);
  useEffect(look, [toasts.value]);
  return (
    <div
      class="toasts"
      role="status"
      aria-live="polite"
      ref={list}
      onPointerEnter={look}
      onPointerLeave={look}
      onFocusIn={look}
      onFocusOut={() => setTimeout(look)}
    >
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
