const unreleased = '## Unreleased';

/** Returns the text before the unreleased section, the section without its heading, and what follows. */
function splitChangelog(text) {
  const start = text.indexOf(`${unreleased}\n`);
  if (start < 0) throw new Error(`CHANGELOG.md has no section “${unreleased}”; add it above the last release`);
  const rest = text.slice(start + unreleased.length + 1);
  const end = /^## /m.exec(rest)?.index ?? rest.length;
  return { before: text.slice(0, start), section: rest.slice(0, end).trim(), after: rest.slice(end) };
}

/** What the next release changes, for its users. Throws if there is nothing. */
export function readUnreleased(text) {
  const { section } = splitChangelog(text);
  // Headings alone say nothing.
  if (!/^(?!#)\S/m.test(section)) {
    throw new Error(`the section “${unreleased}” of CHANGELOG.md is empty; say there what changes for users`);
  }
  return section;
}

/** Moves what is unreleased under the version; an empty section stays for what comes next. */
export function releaseChangelog(text, version, date) {
  const { before, after } = splitChangelog(text);
  if (text.includes(`\n## ${version} – `)) throw new Error(`CHANGELOG.md has a section of ${version} already`);
  return `${before}${unreleased}\n\n## ${version} – ${date}\n\n${readUnreleased(text)}\n\n${after}`;
}
