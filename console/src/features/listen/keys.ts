import { isTyping, pageKeys } from '../../lib/page-keys.ts';
import { player, rates } from '../../lib/player.ts';

export interface Moves {
  readonly word: (step: 1 | -1) => void;
  readonly sentence: (step: 1 | -1) => void;
  readonly loop: () => void;
  readonly clip: (which: 'next' | 'previous') => void;
}

const help = [
  ['Space', 'Play or pause'],
  ['← →', 'Back or forward 5 seconds'],
  ['Shift ← →', 'Back or forward 1 second'],
  [', .', 'Previous or next word'],
  ['< >', 'Previous or next sentence'],
  ['r', 'Replay the last 3 seconds'],
  ['d', 'Next doubtful word; with Shift the previous one'],
  ['c', 'Confirm the current line whose language is in doubt'],
  ['e', 'Correct the current word (also Enter)'],
  ['Tab', 'In a word: correct the next word; with Shift the previous one'],
  ['Alt R', 'In a word: replay it'],
  ['Alt P', 'In a word: play or pause'],
  ['Alt D', 'In a word: correct the next doubtful word'],
  ['f', 'Find and replace in the transcript (also Ctrl F)'],
  ['Ctrl S', 'Save the correction'],
  ['l', 'Repeat the selection or the current sentence'],
  ['[ ]', 'Set the start or end of the repeat'],
  ['+ −', 'Faster or slower'],
  ['p n', 'Previous or next clip'],
] as const;

function changeRate(step: 1 | -1): void {
  const at = rates.findIndex((rate) => rate === player.rate.peek());
  const next = rates[at + step];
  if (next !== undefined) player.setRate(next);
}

function setEdge(edge: 'from' | 'to'): void {
  const loop = player.loop.peek();
  const { ms } = player;
  if (edge === 'from') player.setLoop({ fromMs: ms, toMs: Math.max(loop?.toMs ?? 0, ms + 5_000) });
  else player.setLoop({ fromMs: Math.min(loop?.fromMs ?? ms, Math.max(0, ms - 100)), toMs: ms });
}

/** Whether the focused element handles the key itself. */
function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return true;
  if (document.querySelector('dialog[open]')) return true;
  const on = event.target instanceof Element ? event.target.closest('button, a, input, [role=menu]') : null;
  return event.key === ' ' && on !== null;
}

export function attachPlayerKeys(moves: Moves): () => void {
  const acts: Readonly<Record<string, () => void>> = {
    ' ': () => player.toggle(),
    ',': () => moves.word(-1),
    '.': () => moves.word(1),
    '<': () => moves.sentence(-1),
    '>': () => moves.sentence(1),
    l: () => moves.loop(),
    '[': () => setEdge('from'),
    ']': () => setEdge('to'),
    '+': () => changeRate(1),
    '=': () => changeRate(1),
    '-': () => changeRate(-1),
    '−': () => changeRate(-1),
    n: () => moves.clip('next'),
    p: () => moves.clip('previous'),
  };
  const onKey = (event: KeyboardEvent) => {
    if (isTaken(event)) return;
    const far = event.shiftKey ? 1_000 : 5_000;
    if (event.key === 'ArrowLeft') player.seek(player.ms - far);
    else if (event.key === 'ArrowRight') player.seek(player.ms + far);
    else if (acts[event.key]) acts[event.key]!();
    else return;
    event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  pageKeys.value = help;
  return () => {
    document.removeEventListener('keydown', onKey);
    pageKeys.value = [];
  };
}
