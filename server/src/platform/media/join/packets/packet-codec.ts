import type { ProbedShape } from '../../ffmpeg-probe.ts';

/** The smallest piece of encoded sound: copied as it is, or not at all. */
export interface Packet {
  readonly bytes: Buffer;
  readonly samples: number;
  /** MP3 only: the bytes before this frame's own in which its sound may begin. */
  readonly reservoir?: Buffer;
}

export interface PacketStream {
  /** Samples before the sound begins, at the rate of the packets. */
  readonly leadSamples: number;
  readonly packets: AsyncIterable<Packet>;
}

export interface PacketWriter {
  /** `followsOn`: the packet before it in its own stream was the one written last. */
  write(packet: Packet, followsOn: boolean): Promise<void>;
  /** The sound is `totalSamples` long and begins `leadSamples` into the first packet. */
  finish(leadSamples: number, totalSamples: number): Promise<void>;
  abort(): Promise<void>;
}

/** What it takes to copy packets of one codec from files to a file. */
export interface PacketCodec {
  /** For ffmpeg, which takes the packets out of whatever file they are in. */
  readonly streamArguments: readonly string[];
  readonly rate: (shape: ProbedShape) => number;
  /** What a decoder needs before a cut to be right at the cut. */
  readonly prerollSamples: number;
  /** Whether the file can say where in its first packet the sound begins and where in its last it ends. */
  readonly canTrim: boolean;
  readonly contentType: string;
  readonly extension: string;
  openStream(chunks: AsyncIterable<Buffer>, shape: ProbedShape): Promise<PacketStream>;
  makeSilence(like: Packet): Packet;
  /** What makes a decoder forget the stream before, where it would not get the next one's first packet right. */
  makeReset?(first: Packet): Packet;
  openWriter(path: string, shape: ProbedShape): Promise<PacketWriter>;
}

/** These packets cannot be joined as they are: they must be decoded after all. */
export class CopyImpossible extends Error {}
