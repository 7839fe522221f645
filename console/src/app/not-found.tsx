import { useEffect } from 'preact/hooks';
import { Empty } from '../ui/bits.tsx';
import { LinkButton } from '../ui/button.tsx';

export function NotFound() {
  useEffect(() => {
    document.title = 'Not found · Earshot';
  }, []);
  return (
    <>
      <h1 class="unseen">Not found</h1>
      <Empty icon="search" title="There is nothing here" action={<LinkButton href="/">Go to the overview</LinkButton>}>
        The address may be mistyped, or what was here has been removed or is not shared with you.
      </Empty>
    </>
  );
}
