import type { Client } from '@earshot/client/client';
import { speak } from './speech.ts';

/** Demo transcripts, for the clip and search pages. */

const said: readonly (readonly [deviceSerial: string, hoursAgo: number, transcript: string])[] = [
  [
    'harbour-east',
    2,
    'Good morning, everybody. The ferry to the island leaves from the east mole at a quarter past nine, not from the ' +
      'north gate. Please keep your bicycles behind the yellow line. If you have come for the market, the boat back ' +
      'leaves at four. We are sorry for the delay this morning, the harbour master has closed the inner basin until the ' +
      'fog is gone. Mind the step, and mind the gulls.',
  ],
  ['harbour-east', 26, 'The ferry is late again. They say the fog will lift before ten.'],
  ['harbour-east', 50, 'Mooring lines ready. Slowly, slowly. The ferry is alongside.'],
  ['north-gate', 3, 'The gate stays open until the last ferry has come in. After that, ring the bell at the lodge.'],
  ['north-gate', 27, 'Is this the way to the ferry? No, that is the north gate. Go down to the harbour and turn left.'],
  ['platform-2', 5, 'The train to the harbour leaves from platform two. Passengers for the ferry change at the café.'],
  ['platform-2', 75, 'Please stand back. The ferry train does not stop here on Sundays.'],
  ['council-hall', 98, 'Item four: the new ferry. The proposal is to run it every half an hour in summer.'],
  ['council-hall', 99, 'Item three was the school yard. We voted, and it is accepted with one abstention.'],
  ['school-yard', 6, 'Can we take the ferry on the school trip? Only if everybody brings a coat.'],
];

export interface DemoSpeech {
  readonly clipID: number;
  readonly silentClipID: number;
  readonly absentClipID: number;
  readonly unheardClipID: number;
}

export async function makeDemoSpeech(admin: Client): Promise<DemoSpeech> {
  const now = Math.floor(Date.now() / 3_600_000) * 3_600 - 1_800;
  const clips: number[] = [];
  for (const [serial, hoursAgo, transcript] of said) {
    const { clipID } = await speak(admin, serial, now - hoursAgo * 3_600, transcript);
    clips.push(clipID);
  }
  const [clipID = 0] = clips;
  const start = now - 2 * 3_600;
  for (const [tagName, at, confidence] of [
    ['gull', 3, 91],
    ['ship horn', 11, 78.5],
    ['announcement', 0, 100],
    ['<b>wind</b> & rain', 17, 64],
  ] as const) {
    const body = { tagName, timestamp: start + at, confidence };
    await admin.createAudioClipTag({ params: { audioClipID: clipID }, body });
  }
  await admin.createAudioClipTag({ params: { audioClipID: clips[3] ?? 0 }, body: { tagName: 'bell' } });
  await admin.createAudioClipTag({ params: { audioClipID: clips[1] ?? 0 }, body: { tagName: 'gull' } });
  const { transcript = '' } = await admin.getCaption({ params: { captionID: clipID } });
  const body = { transcript: transcript.replace('the gulls', 'the gulls, please') };
  await admin.correctCaption({ params: { captionID: clipID }, body });
  await admin.createSavedSearch({ body: { searchName: 'The ferry in the fog', search: { searchText: 'ferry fog' } } });
  await admin.createSavedSearch({ body: { searchName: 'At the gate', search: { searchText: '"north gate"' } } });
  const announce = async (audioClipID: string, startTime: number) =>
    (await admin.announceAudioClip({ params: { audioClipID }, body: { startTime, clipLengthInSeconds: 60 } })).key ?? 0;
  const { clipID: silentClipID } = await speak(admin, 'mill-pond', now - 7_200, '', 20);
  const absentClipID = await announce('mill-pond', now - 3_600);
  const unheardClipID = await announce('mill-pond', now - 10_800);
  const sound = new Uint8Array(
    await (await admin.getAudioClipContent({ params: { audioClipID: clipID } })).arrayBuffer(),
  );
  await admin.putAudioClipContent({ params: { audioClipID: unheardClipID }, body: sound });
  return { clipID, silentClipID, absentClipID, unheardClipID };
}
