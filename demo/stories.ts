import type { Voice } from '@earshot/server/platform/speech/speak';

/** Who speaks in the demo, and what. All of it is invented. */

export interface DemoVoice {
  readonly voice: Voice;
  /** 1 is the voice itself. */
  readonly pitch: number;
}

export interface RecorderStory extends DemoVoice {
  readonly serial: string;
  readonly name: string;
  readonly place: readonly [latitude: number, longitude: number];
  readonly batteryPercent: number;
  /** It made contact once and is offline since. */
  readonly isSilent?: boolean;
  readonly sentences: readonly string[];
}

export interface RadioStory {
  readonly system: number;
  readonly label: string;
  /** How much louder the voices are than the noise. */
  readonly noiseDb: number;
  readonly talkgroups: readonly TalkgroupStory[];
}

export interface TalkgroupStory extends DemoVoice {
  readonly number: number;
  readonly label: string;
  readonly name: string;
  readonly group: string;
  readonly units: readonly number[];
  readonly sentences: readonly string[];
}

export const recorderStories: readonly RecorderStory[] = [
  {
    serial: 'demo-north-gate',
    name: 'North gate',
    voice: 'slt',
    pitch: 1,
    place: [54.3256, 10.1412],
    batteryPercent: 92,
    sentences: [
      'Good morning. The north gate is open, and the first trucks are coming in.',
      'A delivery for the workshop has arrived. Please send somebody with a key.',
      'The visitor parking is full. Use the field behind the barn.',
      'A blue van has stopped in front of the gate. I will ask the driver.',
      'The lights at the north gate are on again.',
      'Two visitors for the director are waiting at the desk.',
      'The north gate is closed for the night. The alarm is on.',
    ],
  },
  {
    serial: 'demo-workshop',
    name: 'Workshop',
    voice: 'rms',
    pitch: 1.06,
    place: [54.3241, 10.1433],
    batteryPercent: 100,
    sentences: [
      'The big saw makes a strange noise. I have switched it off.',
      'We need more paint and two new brushes for the boat.',
      'The engine is ready. We can test it this afternoon.',
      'Please do not touch the red switch near the door.',
      'The new pump is smaller than the old one, but it works.',
      'Lunch break. The machine is cooling down.',
    ],
  },
  {
    serial: 'demo-ferry-pier',
    name: 'Ferry pier',
    voice: 'awb',
    pitch: 1,
    place: [54.3301, 10.1535],
    batteryPercent: 71,
    sentences: [
      'The ferry to the island leaves in ten minutes from the south pier.',
      'Passengers with bicycles, please wait behind the yellow line.',
      'The ferry is late today because of the strong wind.',
      'Somebody left a green umbrella on the bench at the pier.',
      'Tickets for the evening ferry are sold at the window.',
      'The last ferry of the day has arrived. Good night.',
    ],
  },
  {
    serial: 'demo-lighthouse',
    name: 'Lighthouse',
    voice: 'kal16',
    pitch: 1,
    place: [54.4402, 10.1917],
    batteryPercent: 14,
    sentences: [
      'The wind comes from the west. There is fog over the water.',
      'The lamp was cleaned this morning. Everything is in order.',
      'A large ship passes the lighthouse from the north.',
      'The fog is gone. I can see the island now.',
      'The storm window on the second floor is broken.',
    ],
  },
  {
    serial: 'demo-market-hall',
    name: 'Market hall',
    voice: 'slt',
    pitch: 0.93,
    place: [54.3217, 10.1349],
    batteryPercent: 88,
    sentences: [
      'Fresh bread and warm apple cake at the first table.',
      'The fish market opens at seven in the morning.',
      'A child is looking for her mother near the flower stand.',
      'We have potatoes, carrots and onions from the farm today.',
      'The market closes in half an hour. Thank you for coming.',
    ],
  },
  {
    serial: 'demo-school-bus',
    name: 'School bus 4',
    voice: 'rms',
    pitch: 0.95,
    place: [54.3155, 10.121],
    batteryPercent: 64,
    sentences: [
      'Bus number four is leaving the school with thirty children.',
      'There is snow on the road to the village. We are driving slowly.',
      'The bridge is closed. We have to take the other road.',
      'All children are at home. The bus is empty.',
      'A boy forgot his yellow jacket in the bus.',
    ],
  },
  {
    serial: 'demo-forest-edge',
    name: 'Forest edge',
    voice: 'awb',
    pitch: 1.07,
    place: [54.2876, 10.0954],
    batteryPercent: 43,
    isSilent: true,
    sentences: [
      'I hear an owl in the old oak tree. It has called four times.',
      'Two deer crossed the path and went into the forest.',
      'The river is high after the rain. The bridge is still dry.',
      'Seven cranes are flying to the south.',
    ],
  },
  {
    serial: 'demo-clinic-door',
    name: 'Clinic entrance',
    voice: 'slt',
    pitch: 1.08,
    place: [54.3322, 10.1304],
    batteryPercent: 97,
    sentences: [
      'The doctor will see you in room twelve on the first floor.',
      'Please wait here. A nurse will come in a minute.',
      'The elevator is out of order. Use the stairs on the left.',
      'Visiting hours end at eight in the evening.',
      'The medicine from the pharmacy has arrived at the front desk.',
    ],
  },
];

export const radioStories: readonly RadioStory[] = [
  {
    system: 1,
    label: 'Harbour radio',
    noiseDb: 22,
    talkgroups: [
      {
        number: 101,
        label: 'HARBOUR',
        name: 'Harbour control',
        group: 'Harbour',
        voice: 'rms',
        pitch: 1,
        units: [1_001, 1_014],
        sentences: [
          'Harbour control, this is the ferry. We are leaving the pier with forty passengers.',
          'Attention all ships. There is fog near the lighthouse. Please go slowly.',
          'Harbour control, a small boat has lost its engine near the south pier.',
          'The channel is clear. You may enter the harbour now.',
        ],
      },
      {
        number: 102,
        label: 'PILOTS',
        name: 'Harbour pilots',
        group: 'Harbour',
        voice: 'awb',
        pitch: 0.96,
        units: [1_102, 1_107],
        sentences: [
          'The pilot boat is on its way to the large ship.',
          'We need a second rope on the left side.',
          'The water is too low at the old pier. Wait for one hour.',
        ],
      },
    ],
  },
  {
    system: 2,
    label: 'County fire',
    noiseDb: 18,
    talkgroups: [
      {
        number: 4_521,
        label: 'FIRE DISP',
        name: 'County fire dispatch',
        group: 'Fire',
        voice: 'slt',
        pitch: 1.02,
        units: [1_610_018, 1_610_022],
        sentences: [
          'Engine five, there is smoke in a house on Station Road.',
          'All units, the fire behind the school is under control.',
          'Engine three, please go to the bridge. A car is in the river.',
          'The alarm at the market hall was false. You can return.',
        ],
      },
      {
        number: 4_522,
        label: 'FIREGROUND',
        name: 'Fireground',
        group: 'Fire',
        voice: 'kal16',
        pitch: 1.04,
        units: [1_610_031, 1_610_035],
        sentences: [
          'We need more water on the second floor.',
          'Everybody is out of the building. Nobody is hurt.',
          'The ladder is ready at the back door.',
        ],
      },
    ],
  },
  {
    system: 3,
    label: 'City buses',
    noiseDb: 24,
    talkgroups: [
      {
        number: 301,
        label: 'BUS DISP',
        name: 'Bus dispatch',
        group: 'Transport',
        voice: 'rms',
        pitch: 0.94,
        units: [3_011, 3_027],
        sentences: [
          'Bus number nine has a flat tire near the library.',
          'There is a lot of traffic on the main road this morning.',
          'A passenger lost a black bag in bus number two.',
          'Please send another bus to the train station.',
        ],
      },
    ],
  },
  {
    system: 4,
    label: 'Ambulance',
    noiseDb: 15,
    talkgroups: [
      {
        number: 710,
        label: 'AMB DISP',
        name: 'Ambulance dispatch',
        group: 'Medical',
        voice: 'slt',
        pitch: 0.97,
        units: [7_101, 7_105],
        sentences: [
          'Ambulance two, a woman has fallen at the market hall.',
          'Ambulance two is on the way to the hospital with one patient.',
          'The helicopter can land on the football field behind the school.',
          'We need a doctor at the ferry pier, please.',
        ],
      },
    ],
  },
];

/** Words that are said often and that the speech engine writes without an error. */
export const wordsToSearch = ['ferry', 'bridge', 'ambulance', '"north gate"', 'fog', 'children'] as const;
