import { createRandom } from '../day.ts';

/** The devices of the large demo, and how each of them behaves. All of it is invented, and the same in every run. */

/** `agent`: an agent keeps contact. `uploads`: a recorder without an agent. `silent`: its agent had contact once. */
export type Behaviour = 'agent' | 'uploads' | 'silent' | 'never';

export interface FleetDevice {
  readonly serial: string;
  readonly name: string;
  readonly behaviour: Behaviour;
  readonly version: string;
  readonly isRadio: boolean;
  /** How many of all clips it recorded, compared with other devices. */
  readonly share: number;
}

export const radioDevices = 5;
export const talkgroupsOfDevice = 4;

const areas = [
  'Harbour',
  'Old town',
  'North ridge',
  'River bend',
  'Quarry',
  'Airfield',
  'University',
  'Station',
  'Market',
  'Orchard',
  'Mill lane',
  'Lighthouse',
  'Upper forest',
  'Lower forest',
  'Reservoir',
  'Ferry pier',
  'Moor',
  'Dunes',
];
export const sites = [
  'gate',
  'roof',
  'bridge',
  'pump house',
  'fence',
  'hut',
  'tower',
  'yard',
  'cellar',
  'mast',
  'weir',
  'barn',
  'workshop',
  'corner',
  'landing',
  'path',
  'clearing',
  'depot',
  'office',
  'car park',
];
const versions = ['2.4.1', '2.4.1', '2.4.1', '2.4.0', '2.3.7', '1.9.12'];

const behaviourAt = (place: number): Behaviour => {
  if (place < 0.55) return 'agent';
  if (place < 0.8) return 'uploads';
  return place < 0.95 ? 'silent' : 'never';
};

export const areaOf = (index: number): string => areas[index % areas.length]!;
export const areaCount = areas.length;

export function planFleet(count: number): readonly FleetDevice[] {
  const random = createRandom(2_000);
  return Array.from({ length: count }, (_, index): FleetDevice => {
    const isRadio = index < radioDevices;
    const site = sites[Math.floor(index / areas.length) % sites.length]!;
    const number = 1 + Math.floor(index / (areas.length * sites.length));
    const behaviour = isRadio ? 'uploads' : behaviourAt(random());
    return {
      serial: `field-${String(index + 1).padStart(4, '0')}`,
      name: isRadio ? `Radio system ${index + 1}` : `${areaOf(index)}, ${site} ${number}`,
      behaviour,
      version: versions[Math.floor(random() * versions.length)]!,
      isRadio,
      share: shareOf(behaviour, isRadio, random()),
    };
  });
}

function shareOf(behaviour: Behaviour, isRadio: boolean, at: number): number {
  if (behaviour === 'never') return 0;
  return isRadio ? 100 : 0.2 + 2 * at * at;
}
