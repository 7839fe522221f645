import type { RadioCall } from '@earshot/contract/radio';
import { Badge, UserText } from '../../lib/ui/elements.tsx';
import { Hued } from '../../lib/ui/hued.tsx';
import { talkgroupText, unitText } from './names.ts';

interface CallProps {
  readonly call: RadioCall;
}

export function EmergencyMark({ call }: CallProps) {
  if (!call.isEmergency) return null;
  return (
    <span class="emergency">
      <Badge tone="bad">Emergency</Badge>
    </span>
  );
}

/** Talkgroup and unit of a radio call, for a row of a list. */
export function CallSummary({ call }: CallProps) {
  const { unit } = call;
  return (
    <>
      <EmergencyMark call={call} />
      <Hued text={talkgroupText(call)} />
      {unit !== undefined && (
        <span>
          unit <UserText text={unitText(call, unit)} />
        </span>
      )}
    </>
  );
}
