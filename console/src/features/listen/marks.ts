import type { Edits } from './edits.ts';
import type { TextMatch } from './find.ts';
import type { Line, TranscriptWord } from './words.ts';

/** What is marked in the words. */
export interface Marks {
  /** Words that match the search that led to this page. */
  readonly found: ReadonlySet<number>;
  /** Words that match the text to find, and the match that is shown. */
  readonly matched: ReadonlySet<number>;
  readonly match: TextMatch | undefined;
  readonly edits: Edits;
  /** The word in the editor. */
  readonly editing: number | undefined;
}

export interface EditorActs {
  /** Keeps the text of a word. */
  readonly keep: (at: number, text: string) => void;
  /** Opens the editor at another word, or closes it. */
  readonly open: (at: number | undefined) => void;
  readonly save: () => void;
  readonly replay: (word: TranscriptWord) => void;
  readonly togglePlay: () => void;
  /** Confirms the words of a line whose language was in doubt. Undefined if the person may not. */
  readonly confirm: ((line: Line) => void) | undefined;
  readonly nextDoubtful: (at: number, step: 1 | -1) => void;
}
