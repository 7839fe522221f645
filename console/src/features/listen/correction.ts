import { signal } from '@preact/signals';
import type { Caption } from '@earshot/contract/caption';
import type { Edits, WordEdit } from './edits.ts';
import { moveEdits, noEdits, writeTranscript } from './edits.ts';
import type { Line } from './words.ts';

/** What is kept in the browser until the correction is saved. */
export interface CorrectionDraft {
  readonly version: number;
  readonly edits: readonly WordEdit[];
  readonly unplaced: readonly WordEdit[];
}

interface CorrectionParts {
  /** Keeps the draft, or removes it if there is none. Returns whether it could be kept. */
  readonly keep: (draft: CorrectionDraft | undefined) => boolean;
  /** Saves a transcript in one request. Returns its version, or 'overtaken' if someone else saved meanwhile. */
  readonly send: (transcript: string, version: number) => Promise<number | 'overtaken'>;
}

const mostUndo = 200;

/**
 * The words of a transcript that a person changed and did not save yet. If another version of the transcript arrives, the
 * changes move to the same words of it; changes that fit nowhere are listed, and stay in the draft.
 */
export class Correction {
  readonly edits = signal<Edits>(noEdits);
  readonly unplaced = signal<readonly WordEdit[]>([]);
  readonly isOvertaken = signal(false);
  readonly isSaving = signal(false);
  readonly problem = signal('');
  readonly canUndo = signal(false);
  /** False if the browser has no space for the draft. */
  readonly isKept = signal(true);

  private readonly parts: CorrectionParts;
  private past: Edits[] = [];
  private caption: Caption | undefined;
  private lines: readonly Line[] = [];
  private savedVersion: number | undefined;

  constructor(parts: CorrectionParts) {
    this.parts = parts;
  }

  get isEmpty(): boolean {
    return this.edits.peek().size === 0 && this.unplaced.peek().length === 0;
  }

  /** Called with each version of the transcript that arrives. */
  follow(caption: Caption, lines: readonly Line[]): void {
    const known = this.caption;
    this.caption = caption;
    this.lines = lines;
    if (!known || known.version === caption.version) return;
    this.forgetPast();
    if (this.savedVersion !== undefined && (caption.version ?? 0) >= this.savedVersion) {
      const isMine = caption.version === this.savedVersion;
      this.savedVersion = undefined;
      if (isMine) return this.set(noEdits);
    }
    if (this.isEmpty) return;
    this.move(this.edits.peek().values());
    this.isOvertaken.value = true;
  }

  /** Continues with a draft, which may belong to an earlier version. */
  resume(draft: CorrectionDraft): void {
    this.unplaced.value = draft.unplaced;
    if (draft.version === this.caption?.version) {
      this.set(new Map(draft.edits.map((edit) => [edit.at, edit])));
      return;
    }
    this.move(draft.edits);
    this.isOvertaken.value = true;
  }

  change(edits: Edits): void {
    if (edits === this.edits.peek()) return;
    this.past = [...this.past.slice(-mostUndo), this.edits.peek()];
    this.canUndo.value = true;
    this.set(edits);
  }

  undo(): void {
    const before = this.past.pop();
    this.canUndo.value = this.past.length > 0;
    if (before) this.set(before);
  }

  discard(): void {
    this.unplaced.value = [];
    this.isOvertaken.value = false;
    this.change(noEdits);
    this.keep();
  }

  dropUnplaced(): void {
    this.unplaced.value = [];
    this.isOvertaken.value = false;
    this.keep();
  }

  /** Returns the version that was corrected, or undefined if nothing was saved. */
  async save(): Promise<number | undefined> {
    const { caption } = this;
    if (!caption || this.isSaving.peek() || this.edits.peek().size === 0) return undefined;
    this.isSaving.value = true;
    this.problem.value = '';
    const sent = this.edits.peek();
    try {
      const transcript = writeTranscript(caption.transcript ?? '', this.lines, sent);
      const answer = await this.parts.send(transcript, caption.version ?? 1);
      if (answer === 'overtaken') return undefined;
      // The edits stay until the saved version arrives, so that no word jumps back meanwhile.
      if (this.caption?.version === answer) this.set(noEdits);
      else this.savedVersion = answer;
      this.forgetPast();
      this.isOvertaken.value = this.unplaced.peek().length > 0;
      this.keep();
      return caption.version;
    } catch (error) {
      this.problem.value = error instanceof Error ? error.message : String(error);
      return undefined;
    } finally {
      this.isSaving.value = false;
    }
  }

  private move(edits: Iterable<WordEdit>): void {
    const moved = moveEdits(edits, this.lines);
    this.unplaced.value = [...this.unplaced.peek(), ...moved.unplaced];
    this.set(moved.edits);
  }

  private forgetPast(): void {
    this.past = [];
    this.canUndo.value = false;
  }

  private set(edits: Edits): void {
    this.edits.value = edits;
    this.keep();
  }

  private keep(): void {
    const edits = this.savedVersion === undefined ? [...this.edits.peek().values()] : [];
    const unplaced = this.unplaced.peek();
    const isNothing = edits.length === 0 && unplaced.length === 0;
    this.isKept.value = this.parts.keep(
      isNothing ? undefined : { version: this.caption?.version ?? 1, edits, unplaced },
    );
  }
}
