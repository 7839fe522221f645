import { useState } from 'preact/hooks';
import { Button } from '../../lib/ui/button.tsx';
import { SendEventDialog } from '../event/public.tsx';

export function SendButton({ deviceID }: { readonly deviceID: number }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon="event" onClick={() => setOpen(true)}>
        Send an event
      </Button>
      {open && <SendEventDialog deviceIDs={[deviceID]} onClose={() => setOpen(false)} />}
    </>
  );
}
