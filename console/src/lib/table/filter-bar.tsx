import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { phoneScreen, useMedia } from './use-window.ts';

interface FilterBarProps {
  /** How many filters are set. */
  readonly count: number;
  readonly children: ComponentChildren;
}

/** Filters side by side; on a phone in a sheet. */
export function FilterBar({ count, children }: FilterBarProps) {
  const isPhone = useMedia(phoneScreen);
  const [isOpen, setOpen] = useState(false);
  if (!isPhone) return <>{children}</>;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{count === 0 ? 'Filters' : `Filters (${count})`}</Button>
      {isOpen && (
        <Dialog title="Filters" onClose={() => setOpen(false)}>
          <div class="stack">
            {children}
            <div class="form-end">
              <Button kind="primary" onClick={() => setOpen(false)}>
                Done
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
