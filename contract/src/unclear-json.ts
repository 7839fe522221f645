/*
 * What a person and a program, or two programs, may read differently in a JSON text that both accept. A text that is signed by
 * its parsed value must have none of it. Bodies of requests are checked by the server as they arrive (decision 0006).
 */

interface Frame {
  /** Of an object: the names so far. */
  readonly names: Set<string> | undefined;
  /** The name or the index of the present value. */
  at: string | number;
  isName: boolean;
}

/** Strings, signs, and other values. No pattern for strings: one of some million escapes would overflow its stack. */
function* tokensOf(text: string): Generator<string> {
  const value = /[^\s{}[\]:,"]+|[{}[\]:,"]/g;
  for (let found = value.exec(text); found; found = value.exec(text)) {
    const [token] = found;
    if (token === '"') value.lastIndex = endOfString(text, found.index) + 1;
    yield text.slice(found.index, value.lastIndex);
  }
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

const pathOf = (stack: readonly Frame[]): string => stack.map(({ at }) => at).join('.');

/** The first field that stands twice, or number that is read as another one, in words. Expects JSON that can be parsed. */
export function findUnclear(text: string): string | undefined {
  const stack: Frame[] = [];
  for (const token of tokensOf(text)) {
    const frame = stack.at(-1);
    if (token === '{') stack.push({ names: new Set(), at: '', isName: true });
    else if (token === '[') stack.push({ names: undefined, at: 0, isName: false });
    else if (token === '}' || token === ']') stack.pop();
    else if (token === ':' && frame) frame.isName = false;
    else if (token === ',' && frame) moveOn(frame);
    else if (frame?.isName && frame.names) {
      const name = JSON.parse(token) as string;
      frame.at = name;
      if (frame.names.has(name)) return `the field ${pathOf(stack)} stands twice`;
      frame.names.add(name);
    } else if (/^[-\d]/.test(token) && JSON.stringify(Number(token)) !== token) {
      return `the number ${token} of ${pathOf(stack)} is read as ${Number(token)}`;
    }
  }
  return undefined;
}

function moveOn(frame: Frame): void {
  if (typeof frame.at === 'number') frame.at += 1;
  else frame.isName = true;
}
