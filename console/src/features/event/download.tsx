import type { Event } from '@earshot/contract/event';
import { Icon } from '../../lib/ui/icon.tsx';

/** The ID of the file in the result of an event, if there is one. */
export function fileOf({ result = '' }: Event): number | undefined {
  try {
    const { fileID } = JSON.parse(result) as { readonly fileID?: unknown };
    return typeof fileID === 'number' ? fileID : undefined;
  } catch {
    return undefined;
  }
}

export const Download = ({ fileID }: { readonly fileID: number }) => (
  <a class="button primary small" href={`/v1/file/${fileID}/content`} download="">
    <Icon name="download" />
    <span>Download</span>
  </a>
);
