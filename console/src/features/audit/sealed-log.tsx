import type { AuditLogState } from '@earshot/contract/audit-log';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { deferAction } from '../../lib/deferred.ts';
import { refresh, useLatest } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { CopyField } from '../../lib/ui/copy-field.tsx';
import { Badge, Section } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { downloadLog, sealedLog } from './data.ts';

/** How far the trail is sealed, for admins. */
export function SealedLog() {
  const { data } = useLatest(sealedLog);
  if (!data) return null;
  const replaceKey = () =>
    deferAction('audit key', 'The key of the audit log is replaced. Write down the new fingerprint.', async () => {
      await api.changeAuditKey();
      refresh([sealedLog.key]);
    });
  return (
    <Section title="Sealed log" bare>
      <div class="card padded stack">
        <LogStatus log={data} />
        <CopyField label="Fingerprint of the key" text={data.keys.at(-1)?.fingerprint ?? ''} />
        <p class="quiet">
          Write the fingerprint down elsewhere. With it and the heads that were sent away,{' '}
          <code>earshot verify-audit</code> finds every change of an export.
        </p>
        <div class="buttons">
          <Button icon="download" onClick={() => void attempt(downloadLog)}>
            Export for verification
          </Button>
          <Button kind="danger" onClick={replaceKey}>
            Replace the key
          </Button>
        </div>
      </div>
    </Section>
  );
}

function LogStatus({ log }: { readonly log: AuditLogState }) {
  const { size, headDate, unsealedCount, isLate } = log;
  return (
    <>
      <p>
        <Badge tone={isLate ? 'bad' : 'good'}>{isLate ? 'Late' : 'Sealed'}</Badge> {size.toLocaleString('en')} entries
        {unsealedCount > 0 && `, ${unsealedCount.toLocaleString('en')} not sealed yet`}
        {headDate !== undefined && (
          <>
            {' '}
            · last head <Time date={headDate} />
          </>
        )}
      </p>
      <HeadsElsewhere log={log} />
    </>
  );
}

function HeadsElsewhere({
  log: { keepsHeadsElsewhere, sentDate, sentSize = 0, sendFault },
}: {
  readonly log: AuditLogState;
}) {
  if (!keepsHeadsElsewhere) {
    return (
      <p>
        <Badge tone="warn">Heads are not sent away</Badge> Nothing protects the trail against the people who run this
        server. Set <code>EARSHOT_AUDIT_HEADS</code>.
      </p>
    );
  }
  return (
    <p>
      {sendFault === undefined ? (
        <Badge tone="good">Heads are sent away</Badge>
      ) : (
        <Badge tone="bad">Heads cannot be sent: {sendFault}</Badge>
      )}{' '}
      {sentDate === undefined ? (
        'none so far'
      ) : (
        <>
          last one of {sentSize.toLocaleString('en')} entries, <Time date={sentDate} />
        </>
      )}
    </p>
  );
}
