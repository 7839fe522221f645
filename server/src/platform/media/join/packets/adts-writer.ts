import { FileWriter } from '../file-writer.ts';
import type { PacketWriter } from './packet-codec.ts';

/** Frames one after another: the format has nothing else. */
export async function openAdtsWriter(path: string): Promise<PacketWriter> {
  const file = await FileWriter.create(path);
  return {
    write: ({ bytes }) => file.append(bytes),
    finish: () => file.finish(),
    abort: () => file.close(),
  };
}
