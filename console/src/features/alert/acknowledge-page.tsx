import { api } from '../../lib/api.ts';
import { LinkPage } from '../channel/public.tsx';

export function AcknowledgePage() {
  const acknowledge = async (token: string) => {
    const { alertID, ruleName = 'a rule', state } = await api.acknowledgeByLink({ body: { token } });
    return `Alert ${alertID} of ${ruleName} is ${state}.`;
  };
  return (
    <LinkPage title="Acknowledge this alert" button="Acknowledge" press={acknowledge}>
      <p>Everybody who sees the alert then sees that you take care of it.</p>
    </LinkPage>
  );
}
