import { FileWriter } from '../file-writer.ts';
import type { PacketWriter } from './packet-codec.ts';

/** A sequence of frames; the format has no other parts. */
export async function openAdtsWriter(path: string): Promise<PacketWriter> {
  const file = await FileWriter.create(path);
  return {
    write: ({ bytes }) => file.append(bytes),
    finish: () => file.finish(),
    abort: () => file.close(),
  };
}
