import { FileWriter } from '../file-writer.ts';
import { OggPages } from './ogg-pages.ts';
import type { Packet, PacketWriter } from './packet-codec.ts';

/** Ogg Opus (RFC 7845). The header contains the samples to skip at the start; the last page, where the sound ends. */
export async function openOpusWriter(path: string, channels: number, inputRate: number): Promise<PacketWriter> {
  const file = await FileWriter.create(path);
  const pages = new OggPages();
  let held: Packet | undefined;
  let samples = 0;

  async function flush(isLast: boolean, endsAt: number): Promise<void> {
    if (held) await file.append(pages.add(held.bytes, endsAt, isLast));
  }

  return {
    async write(packet) {
      if (!held) {
        await file.append(pages.addAlone(makeHead(channels, inputRate, 0)));
        await file.append(pages.addAlone(makeTags()));
      }
      await flush(false, samples);
      held = { bytes: Buffer.from(packet.bytes), samples: packet.samples };
      samples += packet.samples;
    },
    async finish(leadSamples, totalSamples) {
      await flush(true, leadSamples + totalSamples);
      await file.finish([{ at: 0, bytes: OggPages.first(makeHead(channels, inputRate, leadSamples)) }]);
    },
    abort: () => file.close(),
  };
}

function makeHead(channels: number, inputRate: number, lead: number): Buffer {
  const head = Buffer.alloc(19);
  head.write('OpusHead');
  head[8] = 1;
  head[9] = channels;
  head.writeUInt16LE(lead, 10);
  head.writeUInt32LE(inputRate, 12);
  return head;
}

function makeTags(): Buffer {
  const vendor = 'Earshot';
  const tags = Buffer.alloc(8 + 4 + vendor.length + 4);
  tags.write('OpusTags');
  tags.writeUInt32LE(vendor.length, 8);
  tags.write(vendor, 12);
  return tags;
}
