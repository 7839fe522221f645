import { computed } from '@preact/signals';
import { isOver } from './item.ts';
import { uploadItems } from './state.ts';

/** Files that were added and are not uploaded yet. */
export const waitingUploads = computed(() => uploadItems.value.filter((item) => !isOver(item)).length);
