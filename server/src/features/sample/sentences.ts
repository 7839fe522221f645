import type { Voice } from '../../platform/speech/speak.ts';

export interface SampleDevice {
  readonly serial: string;
  readonly name: string;
  readonly voice: Voice;
  /** Spoken one after the other, each a recording. */
  readonly sentences: readonly string[];
}

/** All of it is invented. */
export const sampleDevices: readonly SampleDevice[] = [
  {
    serial: 'sample-gate',
    name: 'Sample: North gate',
    voice: 'slt',
    sentences: [
      'Good morning. The north gate is open, and the first trucks are coming in.',
      'A delivery for the workshop has arrived. Please send somebody with a key.',
      'The visitor parking is full. Use the field behind the barn.',
      'The north gate is closed for the night. The alarm is on.',
    ],
  },
  {
    serial: 'sample-harbour',
    name: 'Sample: Harbour radio',
    voice: 'rms',
    sentences: [
      'Harbour control, this is the ferry Aurora. We are leaving the pier with forty passengers.',
      'Ferry Aurora, this is harbour control. The channel is clear, have a good journey.',
      'Attention all ships. There is fog near the lighthouse. Please go slowly.',
      'Harbour control, a small boat has lost its engine. We are taking it to the pier.',
    ],
  },
  {
    serial: 'sample-notes',
    name: 'Sample: Field notes',
    voice: 'awb',
    sentences: [
      'I hear an owl in the old oak tree. It has called four times.',
      'The river is high after the rain. The bridge is still dry.',
      'Two deer crossed the path and went into the forest.',
      'The battery of the recorder is low. I will change it tomorrow morning.',
    ],
  },
];
