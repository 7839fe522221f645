import type { CaptionSearch } from '@earshot/contract/caption-search';
import { LinkButton } from '../../lib/ui/button.tsx';
import { watchAddress } from './watch-address.ts';

/** Makes a rule of a search. */
export const WatchSearchButton = ({ search }: { readonly search: CaptionSearch }) => (
  <LinkButton icon="bell" href={watchAddress(search)}>
    Watch this search
  </LinkButton>
);
