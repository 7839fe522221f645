import type { Definition } from '../definition.ts';

/** The devices that the radio part of a rule names. */
export const namedDevices = ({ where }: Pick<Definition, 'where'>): readonly number[] => [
  ...new Set((where?.talkgroups ?? []).flatMap(({ deviceID }) => deviceID ?? [])),
];
