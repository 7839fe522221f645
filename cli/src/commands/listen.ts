import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { downloadSound } from '@earshot/client/download';
import type { Connection, Context } from '../command.ts';
import { defineCommand } from '../command.ts';
import { deviceKeysByWord } from '../devices.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { cutWav, findProgram, players } from '../players.ts';
import { runChild } from '../run-child.ts';
import { showDuration, showTime } from '../time.ts';
import { readKey } from './events.ts';
import { startMsOfClip } from './clips.ts';

/** A result is played from a little before its first word. */
const leadSeconds = 1.5;

export const listenCommand = defineCommand({
  name: 'listen',
  summary: 'Play a clip, or the best result of a search',
  description: `Plays through ${players.map(({ name }) => name).join(', ')}, whichever is installed first in this order.`,
  operands: [{ name: 'CLIP', isOptional: true, help: 'the number of the clip' }],
  options: {
    at: { kind: 'number', value: 'SECONDS', least: 0, help: 'where to begin' },
    search: {
      kind: 'text',
      short: 's',
      value: 'WORDS',
      help: 'play the best result of this search, from the words on',
    },
    device: {
      kind: 'text',
      short: 'd',
      value: 'DEVICE',
      isRepeated: true,
      completes: 'device',
      help: 'search only this device',
    },
    hit: { kind: 'integer', value: 'N', least: 1, most: 100, fallback: 1, help: 'the Nth result of the search' },
    player: {
      kind: 'text',
      value: 'PROGRAM',
      choices: players.map(({ name }) => name),
      help: 'the program that plays',
    },
  },
  examples: [
    { line: 'earshot listen 4711 --at 12.5', text: 'a clip, from 12.5 seconds on' },
    { line: 'earshot listen --search "north gate"', text: 'the best result, where it is said' },
  ],
  async run(context) {
    const { options, operands, io, output, json } = context;
    if ((operands[0] === undefined) === (options.search === undefined)) {
      throw usageFailure('Name one clip by its number, or search with --search WORDS.');
    }
    const player = findPlayer(options.player, io.env);
    const connection = await context.connect();
    const place =
      options.search === undefined
        ? { audioClipID: readKey(operands[0]!, 'CLIP'), at: options.at ?? 0 }
        : await findHit(connection, options.search, options.hit, options.device, options.at, output);
    const folder = await mkdtemp(join(tmpdir(), 'earshot-listen-'));
    try {
      const path = await fetchSound(connection, place.audioClipID, folder, context);
      if (player.wavOnly) await cutFile(path, place.at);
      if (json) output.record({ audioClipID: place.audioClipID, atSeconds: place.at, player: player.name });
      else output.note(`Clip ${place.audioClipID} from ${showDuration(place.at * 1_000)}; Ctrl-C ends it.`);
      const code = await runChild(io, { program: player.path, args: player.args(path, place.at) });
      if (code !== 0 && !io.signal.aborted) throw new Failure(`${player.name} ended with code ${code}.`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});

function findPlayer(name: string | undefined, env: Context['io']['env']) {
  const candidates = players.filter((player) => name === undefined || player.name === name);
  for (const player of candidates) {
    const path = findProgram(player.name, env);
    if (path !== undefined) return { ...player, path };
  }
  const names = candidates.map((player) => player.name).join(', ');
  throw new Failure(
    `No program that plays sound was found: ${names}. Install one (on Debian: apt install ffmpeg), or download the clip with “earshot download CLIP”.`,
  );
}

async function findHit(
  { client }: Connection,
  searchText: string,
  hit: number,
  devices: readonly string[],
  at: number | undefined,
  output: Context['output'],
): Promise<{ audioClipID: number; at: number }> {
  const deviceIDList = await deviceKeysByWord(client, devices);
  const { results } = await client.searchCaptions({
    query: { order: 'relevance', offset: hit - 1, limit: 1 },
    body: { searchText, ...(deviceIDList ? { deviceIDList } : {}) },
  });
  const [found] = results;
  if (!found) throw new Failure(`There is no result ${hit} for “${searchText}”.`, exitCodes.notFound);
  output.note(`${showTime(startMsOfClip(found))}  ${found.deviceName ?? ''}  ${found.snippet}`);
  const said = (found.matches[0]?.startMs ?? 0) / 1_000;
  return { audioClipID: found.key ?? 0, at: at ?? Math.max(0, said - leadSeconds) };
}

async function fetchSound(
  { clientOptions }: Connection,
  audioClipID: number,
  folder: string,
  { io }: Pick<Context<unknown>, 'io'>,
): Promise<string> {
  const { body } = await downloadSound(clientOptions, audioClipID, { signal: io.signal });
  const path = join(folder, `clip-${audioClipID}`);
  await writeFile(path, body);
  return path;
}

async function cutFile(path: string, at: number): Promise<void> {
  const cut = cutWav(await readFile(path), at);
  if (!cut)
    throw new Failure('aplay plays WAV only, and this clip is none. Install ffplay (Debian: apt install ffmpeg).');
  await writeFile(path, cut);
}
