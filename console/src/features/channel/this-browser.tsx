import { ApiForm } from '../../lib/api-form.tsx';
import { showToast } from '../../lib/toasts.ts';
import { Section } from '../../lib/ui/elements.tsx';
import { addThisBrowser, whyNoPush } from './push.ts';

/** Push messages to the browser that shows the page, or why it cannot have them. */
export function ThisBrowser() {
  const reason = whyNoPush();
  const add = async () => {
    await addThisBrowser();
    showToast('This browser is a channel now. Choose it in a rule.');
  };
  return (
    <Section title="This browser" bare>
      <div class="card padded">
        {reason === undefined ? (
          <ApiForm submit="Add this browser" onSend={add}>
            <p>It can be told also while no page of Earshot is open.</p>
          </ApiForm>
        ) : (
          <p>{reason} A channel of the kind e-mail or ntfy reaches you as well.</p>
        )}
      </div>
    </Section>
  );
}
