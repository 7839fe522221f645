import type { Chance } from './chance.ts';
import type { Count, StepParts } from './kinds.ts';
import { nightNames } from './kinds.ts';
import type { PlainClip, PlainSound } from './plain.ts';
import type { Night } from './random-clip.ts';
import { changeNights, isInNight, randomCall, randomSound, randomStart, randomTranscript } from './random-clip.ts';
import { seconds, tagNames } from './random-clip.ts';
import { expireSound, giveSound, label, setCall } from './sounds.ts';
import type { World } from './world.ts';

const changes =
  'correct correct-back correct-back transcribe tag tag untag untag redate redate remove sound label expire'.split(' ');

/** A world has at least so many clips, as soon as they have come. */
const fewestClips = 60;
const hourMs = 3_600_000;

interface RandomTag {
  readonly tagName: string;
  readonly confidence: number;
}

interface RandomSound {
  readonly sound: PlainSound;
  readonly isLabelled: boolean;
}

/** Random clips, and random changes of clips. */
export class ClipSteps {
  readonly #world: World;
  readonly #chance: Chance;
  readonly #count: Count;
  readonly #nights: readonly Night[];
  readonly #formerTexts = new Map<number, string>();

  constructor({ world, chance, count, nights }: StepParts) {
    this.#world = world;
    this.#chance = chance;
    this.#count = count;
    this.#nights = nights;
  }

  addSome(): Promise<void> {
    return this.#changeSome(() => this.#add());
  }

  changeSome(): Promise<void> {
    return this.#changeSome(() => this.#change());
  }

  #busy = new Set<number>();
  #starts = new Set<string>();

  /** Some clips at once: each has one change, and no two get the same place. */
  async #changeSome(change: () => Promise<void>): Promise<void> {
    this.#world.step += 1;
    this.#busy = new Set();
    this.#starts = new Set();
    await Promise.all(Array.from({ length: this.#chance.between(1, 8) }, change));
  }

  #freeStart(deviceID: number): number | undefined {
    const near = this.#chance.oneIn(2) ? this.#world.clipsOf(deviceID) : this.#world.clipList;
    const startMs = randomStart(this.#chance, this.#nights, near);
    const name = `${deviceID} ${startMs}`;
    if (this.#starts.has(name) || this.#world.isTaken(deviceID, startMs)) return undefined;
    this.#starts.add(name);
    return startMs;
  }

  async #add(): Promise<void> {
    const { devices, clipList: others } = this.#world;
    const device = this.#chance.pick([...devices.values()]);
    const startMs = this.#freeStart(device.key);
    if (startMs === undefined) return;
    if (others.some((clip) => clip.deviceID === device.key && clip.startMs >= startMs + hourMs))
      this.#count('hours late');
    if (others.some((clip) => clip.deviceID !== device.key && sameSecond(clip.startMs, startMs)))
      this.#count('same second on two devices');
    for (const [at, { zone, atMs }] of changeNights.entries())
      if (device.timeZone === zone && isInNight(atMs, startMs)) this.#count(nightNames[at]!);
    const chance = this.#chance;
    // Chosen before anything is awaited, so that a seed repeats it.
    const length = chance.oneIn(5) ? undefined : chance.pick(seconds.filter(Number.isInteger));
    const call = chance.oneIn(3) ? randomCall(chance) : undefined;
    const transcript = chance.oneIn(3) ? undefined : randomTranscript(chance);
    const sound = chance.oneIn(3) ? undefined : this.#randomSound();
    const tag = chance.oneIn(3) ? this.#randomTag() : undefined;
    const clip = await this.#world.addClip(device.key, startMs, length);
    this.#busy.add(clip.key);
    if (call) await setCall(this.#world, clip, call);
    if (transcript !== undefined) await this.#world.transcribe(clip, transcript);
    if (sound) await this.#giveSound(clip, sound);
    if (tag) await this.#putTag(clip, tag);
  }

  async #change(): Promise<void> {
    const chance = this.#chance;
    const free = this.#world.clipList.filter(({ key }) => !this.#busy.has(key));
    if (free.length < fewestClips || chance.oneIn(4)) return this.#add();
    const change = chance.pick(changes);
    const former = free.filter(({ key }) => this.#formerTexts.has(key));
    if (change === 'correct-back' && former.length === 0) return;
    const clip = chance.pick(change === 'correct-back' ? former : free);
    this.#busy.add(clip.key);
    if (change === 'correct') return this.#correct(clip);
    if (change === 'correct-back') return this.#correctBack(clip);
    if (change === 'transcribe') return this.#transcribe(clip);
    if (change === 'tag') return this.#putTag(clip, this.#randomTag());
    if (change === 'untag') return this.#removeTag(clip);
    if (change === 'redate') return this.#redate(clip);
    if (change === 'sound') return this.#giveSound(clip, this.#randomSound());
    if (change === 'label') return this.#label(clip);
    if (change === 'expire') return this.#expire(clip);
    this.#count('clip deleted');
    return this.#world.removeClip(clip);
  }

  async #correct(clip: PlainClip): Promise<void> {
    const transcript = randomTranscript(this.#chance);
    if (transcript === clip.transcript) return;
    if (clip.transcript !== undefined) this.#formerTexts.set(clip.key, clip.transcript);
    this.#count('corrected');
    await this.#world.correct(clip, transcript);
  }

  /** To what it was before the last correction; then what was corrected is what was before. */
  async #correctBack(clip: PlainClip): Promise<void> {
    const [former, present] = [this.#formerTexts.get(clip.key)!, clip.transcript!];
    if (former === present) return;
    this.#formerTexts.set(clip.key, present);
    this.#count('corrected back');
    await this.#world.correct(clip, former);
  }

  async #transcribe(clip: PlainClip): Promise<void> {
    const transcript = randomTranscript(this.#chance);
    if (transcript === clip.transcript) return;
    if (clip.transcript !== undefined) this.#count('transcribed again');
    await this.#world.transcribe(clip, transcript);
  }

  #randomTag(): RandomTag {
    return { tagName: this.#chance.pick(tagNames), confidence: this.#chance.pick([60, 60.1, 99.5, 100]) };
  }

  async #putTag(clip: PlainClip, { tagName, confidence }: RandomTag): Promise<void> {
    if (clip.tags.some(({ name }) => name.toLowerCase() === tagName.toLowerCase())) return;
    this.#count('tag put');
    await this.#world.putTag(clip, tagName, confidence);
  }

  async #removeTag(clip: PlainClip): Promise<void> {
    if (clip.tags.length === 0) return;
    this.#count('tag removed');
    await this.#world.removeTag(clip, this.#chance.pick(clip.tags));
  }

  async #redate(clip: PlainClip): Promise<void> {
    const startMs = this.#freeStart(clip.deviceID);
    if (startMs === undefined) return;
    this.#count('re-dated');
    await this.#world.redate(clip, startMs);
  }

  #randomSound(): RandomSound {
    return { sound: randomSound(this.#chance), isLabelled: this.#chance.oneIn(2) };
  }

  async #giveSound(clip: PlainClip, { sound, isLabelled }: RandomSound): Promise<void> {
    this.#count('sound given');
    await giveSound(this.#world, clip, sound);
    if (isLabelled) await this.#label(clip);
  }

  async #label(clip: PlainClip): Promise<void> {
    if (clip.fileID === undefined) return;
    this.#count('labelled');
    await label(this.#world, clip);
  }

  async #expire(clip: PlainClip): Promise<void> {
    if (clip.fileID === undefined) return;
    this.#count('sound expired');
    await expireSound(this.#world, clip);
  }
}

const sameSecond = (one: number, other: number): boolean => Math.floor(one / 1_000) === Math.floor(other / 1_000);
