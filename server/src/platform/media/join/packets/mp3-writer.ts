import { emptyMp3Frame, headerBytes, mainDataAt, readMp3Header, reservoirBytes, usedBytes } from '../../mp3-frame.ts';
import { FileWriter } from '../file-writer.ts';
import type { Packet, PacketWriter } from './packet-codec.ts';
import { infoFrameRoom, writeInfoFrame } from './mp3-info-frame.ts';

/**
 * Frames one after another, behind one that tells their number, where to find them, and what to leave out at both ends.
 *
 * A frame's sound may begin within the frames before it. Where those were left out, the bytes it needs are put at the
 * end of whatever frame comes before it now, which is made larger for it; the sound of both stays bit by bit the same.
 */
export async function openMp3Writer(path: string): Promise<PacketWriter> {
  const file = await FileWriter.create(path);
  let held: Buffer | undefined;
  let info: Buffer | undefined;
  let extraLead = 0;
  let frames = 0;
  let bytes = 0;
  const places: number[] = [];

  async function flush(): Promise<void> {
    if (!held) return;
    if (frames % framesPerPlace === 0) places.push(bytes);
    frames += 1;
    bytes += held.length;
    await file.append(held);
    held = undefined;
  }

  async function begin(first: Packet): Promise<void> {
    info = emptyMp3Frame(first.bytes, infoFrameRoom)!;
    bytes = info.length;
    await file.append(info);
    // Silence in front of everything carries what the first frame needs, and the smallest delay that can be told.
    held = emptyMp3Frame(first.bytes, 0)!;
    extraLead = first.samples;
  }

  return {
    async write(packet, followsOn) {
      if (!info) await begin(packet);
      if (!followsOn) held = carry(held!, packet);
      await flush();
      held = Buffer.from(packet.bytes);
    },
    async finish(leadSamples, totalSamples) {
      const { samples } = readMp3Header(held!)!;
      await flush();
      const lead = extraLead + leadSamples;
      const padding = frames * samples - lead - totalSamples;
      writeInfoFrame(info!, { frames, bytes, lead, padding, places, framesPerPlace });
      await file.finish([{ at: 0, bytes: info! }]);
    },
    abort: () => file.close(),
  };
}

/** How often the place of a frame is noted: few numbers for ten hours, near enough to seek by. */
const framesPerPlace = 64;

/** The frame before, with what this one needs at its end. */
function carry(before: Buffer, { bytes, reservoir }: Packet): Buffer {
  const needed = reservoirBytes(bytes, readMp3Header(bytes)!);
  // What its own file does not have may be in the one before: a recorder that cuts a running stream cuts here.
  if (needed === 0 || !reservoir || reservoir.length < needed) return before;
  const header = readMp3Header(before)!;
  const dataAt = mainDataAt(header);
  const sound = before.subarray(dataAt, dataAt + usedBytes(before, header));
  const larger = emptyMp3Frame(before, sound.length + needed);
  // At the highest bitrate there may be no room for both, and wrong bytes would be noise: the frame before goes silent.
  const frame = larger ?? emptyMp3Frame(before, needed)!;
  if (larger) {
    frame.set(before.subarray(dataAt - header.sideInfoBytes, dataAt), headerBytes);
    frame.set(sound, headerBytes + header.sideInfoBytes);
  }
  frame.set(reservoir.subarray(reservoir.length - needed), frame.length - needed);
  return frame;
}
