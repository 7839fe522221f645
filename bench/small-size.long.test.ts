import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Need } from '@earshot/server/testing/needs';
import { needs } from '@earshot/server/testing/needs';
import { expect, test } from 'vitest';

/** Every folder here is a bench. */
const benches = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
  .map(({ name }) => name);

const neededParts: Readonly<Record<string, Need>> = {
  console: 'chromium',
  listening: 'speech',
  'voice-gate': 'speech',
};

/* Each bench in its small size to its end, as a person runs it. */
for (const name of benches) {
  const part = neededParts[name];
  test(`bench/${name} runs to its end, and says which goals are met`, part ? needs(part) : {}, async () => {
    const { status, output, errors } = await runSmall(name);
    expect(status, output + errors).toBe(0);
    const lines = output.trim().split('\n');
    const table = lines.slice(lines.indexOf('| goal | limit | figure | verdict |') + 2, -2);
    expect(table.length, output).toBeGreaterThan(0);
    for (const line of table)
      expect(line).toMatch(/^\| .+ \| at (?:most|least) .+ \| (?:met|not judged|not measured) \|$/);
    expect(
      table.some((line) => !line.endsWith('| not measured |')),
      output,
    ).toBe(true);
    expect(lines.at(-1)).toMatch(new RegExp(`^bench/${name}  goals: \\d+ met, 0 missed.*, \\d+ not judged: `));
  });
}

async function runSmall(name: string) {
  const script = fileURLToPath(new URL('../scripts/bench.mjs', import.meta.url));
  const bench = spawn(process.execPath, [script, name, '--small'], { stdio: ['ignore', 'pipe', 'pipe'] });
  const [output, errors, [status]] = await Promise.all([text(bench.stdout), text(bench.stderr), once(bench, 'close')]);
  return { status: status as number | null, output, errors };
}
