import { emptyMp3Frame, headerBytes, mainDataAt, readMp3Header, reservoirBytes, usedBytes } from '../../mp3-frame.ts';
import { FileWriter } from '../file-writer.ts';
import type { Packet, PacketWriter } from './packet-codec.ts';
import { infoFrameRoom, writeInfoFrame } from './mp3-info-frame.ts';

/**
 * A sequence of frames after an info frame, which contains their number, an index, and the samples to drop at both
 * ends.
 *
 * The main data of a frame may begin in the frames before it. If those were dropped, the bytes that it needs are put at
 * the end of the preceding frame of the result, which is enlarged for that. The sound of both frames stays bit-exact.
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
    // A silent first frame carries the bytes that the first frame needs, and the smallest delay that can be stored.
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

/** How often the offset of a frame is stored: few entries for ten hours, precise enough for seeking. */
const framesPerPlace = 64;

/** The preceding frame, with the bytes that this frame needs at its end. */
function carry(before: Buffer, { bytes, reservoir }: Packet): Buffer {
  const needed = reservoirBytes(bytes, readMp3Header(bytes)!);
  // Bytes that are missing in this file may be in the preceding one: a recorder that splits a running stream splits it
  // here.
  if (needed === 0 || !reservoir || reservoir.length < needed) return before;
  const header = readMp3Header(before)!;
  const dataAt = mainDataAt(header);
  const sound = before.subarray(dataAt, dataAt + usedBytes(before, header));
  const larger = emptyMp3Frame(before, sound.length + needed);
  // At the highest bitrate there may be no room for both, and wrong bytes would be noise, so the preceding frame is
  // silenced.
  const frame = larger ?? emptyMp3Frame(before, needed)!;
  if (larger) {
    frame.set(before.subarray(dataAt - header.sideInfoBytes, dataAt), headerBytes);
    frame.set(sound, headerBytes + header.sideInfoBytes);
  }
  frame.set(reservoir.subarray(reservoir.length - needed), frame.length - needed);
  return frame;
}
