import { LinkButton } from '../../lib/ui/button.tsx';
import { Empty } from '../../lib/ui/elements.tsx';

/** Shown while the user has no clips at all. */
export function EmptyOverview({ hasDevices }: { readonly hasDevices: boolean }) {
  return (
    <div class="card overview-empty">
      {hasDevices ? (
        <Empty icon="wave" title="No clips yet">
          Clips appear here as soon as a device announces them.
        </Empty>
      ) : (
        <Empty
          icon="wave"
          title="No devices yet"
          action={
            <LinkButton kind="primary" icon="add" href="/devices?add=1">
              Add your first device
            </LinkButton>
          }
        >
          Add a device, run the displayed command on it, and see it come online here.
        </Empty>
      )}
    </div>
  );
}
