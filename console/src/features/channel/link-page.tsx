import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { CardPage } from '../../lib/card-page.tsx';
import { linkToken } from '../../lib/link-token.ts';

interface LinkPageProps {
  readonly title: string;
  readonly button: string;
  /** Does what the link is for, and says what was done. */
  readonly press: (token: string) => Promise<string>;
  readonly children: ComponentChildren;
}

const words = { 401: 'This link is wrong or has expired, or you may not do this any more.' };

/** A page of a link in a message. Opening it changes nothing: programs that check mail open links too. */
export function LinkPage({ title, button, press, children }: LinkPageProps) {
  const [done, setDone] = useState<string | undefined>();
  if (linkToken.value === '')
    return (
      <CardPage title="Open the complete link" after={<a href="/">Open Earshot</a>}>
        <p>Open the complete link of the message, including everything after the # sign.</p>
      </CardPage>
    );
  if (done !== undefined)
    return (
      <CardPage title="Done" after={<a href="/">Open Earshot</a>}>
        <p role="status">{done}</p>
      </CardPage>
    );
  return (
    <CardPage title={title} after={<a href="/">Open Earshot</a>}>
      <ApiForm submit={button} words={words} wide onSend={async () => setDone(await press(linkToken.value))}>
        {children}
      </ApiForm>
    </CardPage>
  );
}
