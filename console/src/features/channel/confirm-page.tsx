import { api } from '../../lib/api.ts';
import { LinkPage } from './link-page.tsx';

export function ConfirmPage() {
  const confirm = async (token: string) => {
    await api.confirmChannel({ body: { token } });
    return 'Alerts may be sent to this address now.';
  };
  return (
    <LinkPage title="Confirm this address" button="Confirm" press={confirm}>
      <p>Somebody wants to send alerts of Earshot to your address. If you do not want them, close this page.</p>
    </LinkPage>
  );
}
