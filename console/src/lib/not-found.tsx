import { useEffect } from 'preact/hooks';
import { LinkButton } from './ui/button.tsx';
import { Empty } from './ui/elements.tsx';

export function NotFound() {
  useEffect(() => {
    document.title = 'Not found · Earshot';
  }, []);
  return (
    <>
      <h1 class="unseen">Not found</h1>
      <Empty icon="search" title="Page not found" action={<LinkButton href="/">Go to Overview</LinkButton>}>
        Check the address. The record may have been deleted, or it is not shared with you.
      </Empty>
    </>
  );
}
