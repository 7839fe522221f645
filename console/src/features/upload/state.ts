import { signal } from '@preact/signals';
import { viewerZone } from '../../lib/ui/clock.ts';
import type { UploadItem } from './item.ts';

/* What every page shows of uploads. The code that sends them is loaded when it is needed. */

export const uploadItems = signal<readonly UploadItem[]>([]);
export const isPaused = signal(false);
/** The zone of times that name none. */
export const recordingZone = signal(viewerZone());
