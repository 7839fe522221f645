import type { ProbedShape } from '../../ffmpeg-probe.ts';

/** The smallest unit of encoded sound: copied unchanged, or not at all. */
export interface Packet {
  readonly bytes: Buffer;
  readonly samples: number;
  /** MP3 only: the bytes before the frame in which its main data may begin. */
  readonly reservoir?: Buffer;
}

export interface PacketStream {
  /** Samples before the sound begins, at the rate of the packets. */
  readonly leadSamples: number;
  readonly packets: AsyncIterable<Packet>;
}

export interface PacketWriter {
  /** `followsOn`: the previous packet of the same stream was the last one written. */
  write(packet: Packet, followsOn: boolean): Promise<void>;
  /** The sound has `totalSamples` and begins `leadSamples` after the start of the first packet. */
  finish(leadSamples: number, totalSamples: number): Promise<void>;
  abort(): Promise<void>;
}

/** Copies packets of one codec from several files to one file. */
export interface PacketCodec {
  /** For ffmpeg, which extracts the packets from any container. */
  readonly streamArguments: readonly string[];
  readonly rate: (shape: ProbedShape) => number;
  /** How many samples before a cut a decoder needs to be exact at the cut. */
  readonly prerollSamples: number;
  /** Whether the file can store where the sound begins in its first packet and ends in its last. */
  readonly canTrim: boolean;
  readonly contentType: string;
  readonly extension: string;
  openStream(chunks: AsyncIterable<Buffer>, shape: ProbedShape): Promise<PacketStream>;
  makeSilence(like: Packet): Packet;
  /** A packet that resets the decoder, if it would otherwise decode the first packet of the next stream wrongly. */
  makeReset?(first: Packet): Packet;
  openWriter(path: string, shape: ProbedShape): Promise<PacketWriter>;
}

/** These packets cannot be copied: they must be decoded. */
export class CopyImpossible extends Error {}
