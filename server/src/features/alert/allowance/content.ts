import { createHash } from 'node:crypto';
import type { EventPreset } from '@earshot/contract/event-preset';
import type { RuleAction } from '@earshot/contract/rule-parts';

/** What an admin allows: type, parameters and devices of a preset as a rule runs it, as the SHA-256 of them. */
export const contentOfAction = (preset: EventPreset, { on, deviceIDs, count }: RuleAction): string =>
  createHash('sha256')
    .update(
      JSON.stringify([
        preset.eventTypeID ?? null,
        preset.eventParameters ?? '{}',
        preset.deviceID ?? null,
        preset.deviceGroupID ?? null,
        on ?? 'device',
        deviceIDs ?? [],
        count ?? null,
      ]),
    )
    .digest('hex');
