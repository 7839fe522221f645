import { UserText } from './elements.tsx';
import { hueOf } from './hue.ts';

/** The name of a tag or a talkgroup, with a dot in its colour. */
export const Hued = ({ text }: { readonly text: string | undefined }) => (
  <span class="hued" style={{ '--hue': hueOf(text ?? '') }}>
    <UserText text={text} />
  </span>
);
