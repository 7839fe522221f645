import type { ComponentChildren } from 'preact';
import { Button } from '../../lib/ui/button.tsx';
import { Time } from '../../lib/ui/time.tsx';

interface DraftOfferProps {
  readonly savedAt: number;
  /** What the draft contains. */
  readonly children: ComponentChildren;
  readonly onContinue: () => void;
  readonly onDiscard: () => void;
}

/** Offers a correction that was not saved when the page was left. */
export function DraftOffer({ savedAt, children, onContinue, onDiscard }: DraftOfferProps) {
  return (
    <div class="draft-offer" role="status">
      <p>
        You have an unsaved draft (<Time date={savedAt} />
        ): {children}
      </p>
      <div class="buttons">
        <Button small kind="primary" onClick={onContinue}>
          Continue draft
        </Button>
        <Button small kind="quiet" onClick={onDiscard}>
          Discard draft
        </Button>
      </div>
    </div>
  );
}
