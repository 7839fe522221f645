const serial = 1;
const headerBytes = 27;
const flags = { first: 2, last: 4 };
/** About one second, which a player must load before it can start. */
const packetsPerPage = 50;
const mostSegments = 255;

/** Groups packets into the pages of one Ogg stream. */
export class OggPages {
  #packets: Buffer[] = [];
  #segments = 0;
  #granule = 0;
  #sequence = 0;

  /** The first page of a stream. */
  static first(packet: Buffer): Buffer {
    return makePage([packet], { granule: 0, sequence: 0, flags: flags.first });
  }

  /** Each header has its own page. */
  addAlone(packet: Buffer): Buffer {
    if (this.#sequence === 0) {
      this.#sequence = 1;
      return OggPages.first(packet);
    }
    this.#packets = [packet];
    return this.#take(0);
  }

  /** Returns the pages that are full, which may be none. `endsAt`: where the sound of the packet ends, in samples. */
  add(packet: Buffer, endsAt: number, isLast: boolean): Buffer {
    const segments = Math.floor(packet.length / 255) + 1;
    const isFull = this.#packets.length === packetsPerPage || this.#segments + segments > mostSegments;
    const full = isFull ? this.#take(0) : Buffer.alloc(0);
    this.#packets.push(packet);
    this.#segments += segments;
    this.#granule = endsAt;
    return isLast ? Buffer.concat([full, this.#take(flags.last)]) : full;
  }

  #take(pageFlags: number): Buffer {
    const page = makePage(this.#packets, { granule: this.#granule, sequence: this.#sequence, flags: pageFlags });
    this.#sequence += 1;
    this.#packets = [];
    this.#segments = 0;
    return page;
  }
}

interface PageFields {
  readonly granule: number;
  readonly sequence: number;
  readonly flags: number;
}

function makePage(packets: readonly Buffer[], fields: PageFields): Buffer {
  const lacing = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    length % 255,
  ]);
  const header = Buffer.alloc(headerBytes);
  header.write('OggS');
  header[5] = fields.flags;
  header.writeBigInt64LE(BigInt(fields.granule), 6);
  header.writeUInt32LE(serial, 14);
  header.writeUInt32LE(fields.sequence, 18);
  header[26] = lacing.length;
  const page = Buffer.concat([header, Buffer.from(lacing), ...packets]);
  page.writeUInt32LE(checksum(page), 22);
  return page;
}

/** CRC-32 with the polynomial 0x04c11db7, not reflected, unlike the CRC-32 of zip. */
function checksum(page: Buffer): number {
  let sum = 0;
  for (const byte of page) sum = ((sum << 8) ^ table[(sum >>> 24) ^ byte]!) >>> 0;
  return sum;
}

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit += 1) value = (value << 1) ^ (value < 0 ? 0x04c11db7 : 0);
  return value >>> 0;
});
