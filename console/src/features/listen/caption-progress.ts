import type { CaptionProgress } from '@earshot/contract/caption-progress';
import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';
import { reload } from '../../lib/query.ts';

export const captionProgress: Query<CaptionProgress> = {
  key: 'caption progress',
  load: () => api.getCaptionProgress(),
  follow: (progress, { event }) => (event === 'caption' || event === 'audioclip' ? reload : progress),
};
