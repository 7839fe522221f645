import type { ComponentChildren } from 'preact';
import { Component } from 'preact';
import { Button } from '../lib/ui/button.tsx';
import { Empty } from '../lib/ui/elements.tsx';

interface State {
  readonly failed: boolean;
}

/** An exception in one page keeps the navigation to the other pages usable. */
export class ErrorBoundary extends Component<{ readonly children: ComponentChildren }, State> {
  override state: State = { failed: false };

  static override getDerivedStateFromError(): State {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <Empty
        icon="alert"
        title="This page failed"
        action={
          <Button kind="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        This is an error in the console. Reload the page to try again.
      </Empty>
    );
  }
}
