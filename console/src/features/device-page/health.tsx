import type { Device } from '@earshot/contract/device';
import { DeviceHealthSections } from '../device-health/public.tsx';
import { DevicePositionSection } from '../device-position/public.tsx';
import { DeviceReadySection } from '../device-ready/public.tsx';

/** What the device reports about itself, where it is, and what is done when it starts. */
export function HealthTab({ device }: { readonly device: Device }) {
  const ofDevice = { deviceID: device.key ?? 0, ...(device.timeZone ? { zone: device.timeZone } : {}) };
  return (
    <div class="columns">
      <div>
        <DeviceHealthSections device={device} />
      </div>
      <div>
        <DevicePositionSection {...ofDevice} />
        <DeviceReadySection {...ofDevice} />
      </div>
    </div>
  );
}
