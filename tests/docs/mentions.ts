import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../process/server-process.ts';

/** Something that a Markdown file says, and where. */
export interface Mention {
  readonly file: string;
  readonly line: number;
  /** `code` is text in backticks, `command` a line of a block of shell commands, `link` the target of a link. */
  readonly kind: 'code' | 'command' | 'link';
  readonly text: string;
}

const fencePattern = /^\s*```(\w*)/;
const shellLanguages = new Set(['sh', 'bash']);

/** All code, commands and links of a Markdown file. */
export function readMentions(file: string, text = readFileSync(join(repository, file), 'utf8')): readonly Mention[] {
  const mentions: Mention[] = [];
  let language: string | undefined;
  for (const [index, content] of text.split('\n').entries()) {
    const add = (kind: Mention['kind'], found: string) => mentions.push({ file, line: index + 1, kind, text: found });
    const fence = fencePattern.exec(content);
    if (fence) {
      language = language === undefined ? fence[1]! : undefined;
    } else if (language !== undefined) {
      if (shellLanguages.has(language)) add('command', content);
    } else {
      for (const [, code] of content.matchAll(/`([^`]+)`/g)) add('code', code!);
      for (const [, target] of content.replaceAll(/`[^`]*`/g, '').matchAll(/\]\(([^()\s]+)\)/g)) add('link', target!);
    }
  }
  return mentions;
}

export const placeOf = ({ file, line }: Mention): string => `${file}:${line}`;
