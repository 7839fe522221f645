import { signal } from '@preact/signals';
import { OneSound } from './one-sound.ts';
import { PlayerGain } from './player-gain.ts';
import { onSignOut } from './session.ts';

export interface PlayRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export const rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;
export const soundAddress = (clipID: number): string => `/v1/audioclip/${clipID}/content`;

type FrameListener = (ms: number) => void;

function makeAudio(clipID: number): HTMLAudioElement {
  const audio = new Audio(soundAddress(clipID));
  audio.preload = 'auto';
  audio.preservesPitch = true;
  return audio;
}

/**
 * Plays one clip at a time. Playback continues when the page changes, until another clip is opened.
 * Listeners are called on every frame, so that components do not render for each position.
 */
class Player {
  readonly clipID = signal(0);
  readonly isPlaying = signal(false);
  readonly hasFailed = signal(false);
  /** From the audio file; 0 until it is known. */
  readonly durationMs = signal(0);
  readonly rate = signal(1);
  readonly gain = signal(1);
  /** Whether the clip has been played since it was opened. What was only loaded does not outlive its page. */
  readonly hasBegun = signal(false);
  /** Clips with sound in the order in which they are listened to, as in the list where playback began. */
  readonly order = signal<readonly number[]>([]);
  readonly loop = signal<PlayRange | undefined>(undefined);
  /** Called when the prepared clip starts after the end of this one. */
  onNext: ((clipID: number) => void) | undefined;

  private audio: HTMLAudioElement | undefined;
  private spare: { readonly clipID: number; readonly audio: HTMLAudioElement } | undefined;
  /** A position that was requested before the audio could seek. */
  private wantedMs: number | undefined;
  private readonly listeners = new Set<FrameListener>();
  private frame = 0;
  private readonly louder = new PlayerGain();
  private readonly oneSound = new OneSound(() => this.pause());

  get ms(): number {
    return this.wantedMs ?? Math.round((this.audio?.currentTime ?? 0) * 1_000);
  }

  /** Opening the current clip again does not interrupt it. */
  open(clipID: number, atMs?: number): void {
    if (this.clipID.peek() !== clipID) {
      this.close();
      this.take(clipID, makeAudio(clipID));
    }
    if (atMs !== undefined) this.seek(atMs);
  }

  close(): void {
    this.drop(this.audio);
    this.audio = undefined;
    this.clipID.value = 0;
    this.prepare(undefined);
    this.reset();
  }

  /** Called when a page is left: a clip that was never played is closed. */
  leave(): void {
    if (!this.hasBegun.peek()) this.close();
  }

  /** Loads the clip that follows without a gap; undefined for none. */
  prepare(clipID: number | undefined): void {
    if (this.spare?.clipID === clipID) return;
    this.drop(this.spare?.audio);
    this.spare = clipID === undefined ? undefined : { clipID, audio: makeAudio(clipID) };
  }

  play(): void {
    this.hasBegun.value = this.audio !== undefined;
    this.audio?.play().catch((error: unknown) => {
      // Not a failure: paused, replaced by another clip, or the browser requires a click first.
      const name = error instanceof DOMException ? error.name : '';
      if (name !== 'AbortError' && name !== 'NotAllowedError') this.hasFailed.value = true;
    });
  }

  pause(): void {
    this.audio?.pause();
  }

  toggle(): void {
    if (this.audio?.paused) this.play();
    else this.pause();
  }

  seek(ms: number): void {
    const { audio } = this;
    if (!audio) return;
    const loop = this.loop.peek();
    if (loop && (ms < loop.fromMs || ms >= loop.toMs)) this.loop.value = undefined;
    const end = this.durationMs.peek() || Number.POSITIVE_INFINITY;
    const place = Math.max(0, Math.min(ms, end));
    if (audio.readyState === 0) this.wantedMs = place;
    else audio.currentTime = place / 1_000;
    this.tell();
  }

  setRate(rate: number): void {
    this.rate.value = rate;
    if (this.audio) this.audio.playbackRate = rate;
  }

  /** Louder than it was recorded, for quiet sound. */
  setGain(gain: number): void {
    this.gain.value = gain;
    this.louder.set(this.audio, gain);
  }

  /** Repeats a range, or stops repeating. */
  setLoop(range: PlayRange | undefined): void {
    this.loop.value = range && range.toMs - range.fromMs >= 100 ? range : undefined;
    const { ms } = this;
    const loop = this.loop.peek();
    if (loop && (ms < loop.fromMs || ms >= loop.toMs)) this.seek(loop.fromMs);
    this.tell();
  }

  /** Calls the listener on every frame during playback, and when the position changes. */
  onFrame(listener: FrameListener): () => void {
    this.listeners.add(listener);
    listener(this.ms);
    return () => void this.listeners.delete(listener);
  }

  private take(clipID: number, audio: HTMLAudioElement): void {
    this.reset();
    this.audio = audio;
    this.clipID.value = clipID;
    const on = (name: string, act: () => void) =>
      audio.addEventListener(name, () => {
        if (audio === this.audio) act();
      });
    on('loadedmetadata', () => this.learn());
    on('durationchange', () => this.learn());
    on('play', () => this.begin());
    on('pause', () => this.halt());
    on('seeked', () => this.tell());
    // Hidden tabs have no frames, but repeats must continue in them.
    on('timeupdate', () => this.tell());
    on('ended', () => this.end());
    on('error', () => {
      this.hasFailed.value = true;
    });
    if (audio.readyState > 0) this.learn();
  }

  private learn(): void {
    const { audio } = this;
    if (!audio) return;
    if (Number.isFinite(audio.duration)) this.durationMs.value = Math.round(audio.duration * 1_000);
    audio.playbackRate = this.rate.peek();
    this.louder.set(audio, this.gain.peek());
    if (this.wantedMs === undefined) return;
    audio.currentTime = this.wantedMs / 1_000;
    this.wantedMs = undefined;
    this.tell();
  }

  private begin(): void {
    this.isPlaying.value = true;
    this.hasFailed.value = false;
    this.oneSound.begin();
    cancelAnimationFrame(this.frame);
    const step = () => {
      this.tell();
      if (this.audio && !this.audio.paused) this.frame = requestAnimationFrame(step);
    };
    step();
  }

  private halt(): void {
    this.isPlaying.value = false;
    this.tell();
  }

  private end(): void {
    const loop = this.loop.peek();
    if (loop) {
      this.seek(loop.fromMs);
      return this.play();
    }
    const next = this.spare;
    if (!next) return this.halt();
    this.spare = undefined;
    this.take(next.clipID, next.audio);
    this.play();
    this.onNext?.(next.clipID);
  }

  private reset(): void {
    cancelAnimationFrame(this.frame);
    this.wantedMs = undefined;
    this.isPlaying.value = false;
    this.hasBegun.value = false;
    this.hasFailed.value = false;
    this.durationMs.value = 0;
    this.loop.value = undefined;
  }

  private tell(): void {
    const { ms } = this;
    const loop = this.loop.peek();
    if (loop && ms >= loop.toMs && this.audio && !this.audio.paused) {
      this.audio.currentTime = loop.fromMs / 1_000;
      return;
    }
    for (const listener of this.listeners) listener(ms);
  }

  /** Also stops loading. */
  private drop(audio: HTMLAudioElement | undefined): void {
    if (!audio) return;
    audio.pause();
    audio.removeAttribute('src');
    audio.load();
  }
}

/** Whether the next clip of the list follows at the end of a clip. Kept until the tab closes. */
export const playsOn = signal(false);

export const player = new Player();
onSignOut(() => player.close());
