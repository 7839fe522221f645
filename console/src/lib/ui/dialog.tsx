import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

interface DialogProps {
  readonly title: string;
  /** A palette has its field in place of the head: Escape and a click beside it close it. */
  readonly look?: 'palette';
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal `dialog` element: the browser traps the focus and closes it with Escape; we restore the focus. */
export function Dialog({ title, look, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // A layout effect, so that the next key goes to the dialog.
  useLayoutEffect(() => {
    const shown = dialog.current;
    const opener = document.activeElement;
    shown?.showModal();
    return () => {
      shown?.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);
  const closeOutside = (event: MouseEvent) => {
    if (event.target === dialog.current) onClose();
  };
  return (
    <dialog
      class={look ? `dialog ${look}` : 'dialog'}
      ref={dialog}
      aria-label={look && title}
      aria-labelledby={look ? undefined : id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onMouseDown={closeOutside}
    >
      <div class="dialog-body">
        {!look && (
          <header class="dialog-head">
            <h2 id={id}>{title}</h2>
            <Button kind="quiet" icon="close" label="Close" onClick={onClose} />
          </header>
        )}
        {children}
      </div>
    </dialog>
  );
}
