import { readFile, mkdir } from 'node:fs/promises';
import { nameBuild } from '@earshot/contract/build-name';
import type { Journal } from '../journal.ts';
import { reasonOf } from '../loop.ts';
import type { CarryOut } from '../work.ts';
import { EventFailure, leftToNextProcess } from '../work.ts';
import {
  hashOfVersion,
  isHash,
  removeTrial,
  switchCurrent,
  versionPath,
  versionsFolder,
  writeTrial,
  writeWhole,
} from './versions.ts';

/** Where this agent is installed, and which version of it runs. */
export interface Installation {
  readonly home: string;
  readonly hash: string;
  /** Tells the launcher that this version has reached the platform. */
  readonly confirm: () => void;
}

export interface InstallParts {
  /** Undefined if this agent was not started by its launcher. */
  readonly installation: Installation | undefined;
  /** Answers only if the platform does. */
  readonly fetch: typeof fetch;
  readonly server: string;
  readonly version: string;
  readonly journal: Journal;
  readonly restart: () => void;
}

const largestBytes = 32_000_000;
const fetchWithinMs = 600_000;

/**
 * Fetches a version from the platform that this agent was configured for, and switches to it. The next process reports
 * the end of the event.
 */
export function installUpdate(parts: InstallParts): CarryOut {
  const { installation, version, journal, restart } = parts;
  return async ({ parameters, signal, take }) => {
    const wanted = readRequest(parameters);
    if (!installation)
      throw new EventFailure(
        'This agent was started without its launcher, so it cannot update itself: install it with the line that the console shows.',
      );
    const { home, hash: from } = installation;
    const to = wanted.sha256;
    if (to === from) return `Version ${nameBuild(version, from)} is running already.`;
    await storeVersion(home, parts, to, signal);
    try {
      await journal.setPending({ kind: 'update', ...take, from, to, fromVersion: version, toVersion: wanted.version });
      await writeTrial(home, { from, to, starts: 0 });
      await switchCurrent(home, to);
    } catch (error) {
      await removeTrial(home).catch(() => {});
      await journal.endPending();
      throw new EventFailure(`The new version could not be put in place: ${reasonOf(error)}.`);
    }
    restart();
    return leftToNextProcess;
  };
}

function readRequest(parameters: Readonly<Record<string, unknown>>): { version: string; sha256: string } {
  const { version, sha256, ...others } = parameters;
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw new EventFailure(
      `${other} is not a parameter of Update_software: the agent comes only from the platform, named by version and sha256.`,
    );
  if (typeof version !== 'string' || !/^[\w.+-]{1,50}$/.test(version))
    throw new EventFailure('version must be the name of a version, such as 1.4.0.');
  const hash = typeof sha256 === 'string' ? sha256.toLowerCase() : undefined;
  if (!isHash(hash)) throw new EventFailure('sha256 must be the SHA-256 of the version, as 64 hexadecimal digits.');
  return { version, sha256: hash };
}

type Source = Pick<InstallParts, 'fetch' | 'server'>;

async function storeVersion(home: string, source: Source, hash: string, signal: AbortSignal): Promise<void> {
  const path = versionPath(home, hash);
  const stored = await readFile(path).catch(() => undefined);
  if (stored && hashOfVersion(stored) === hash) return;
  const content = await fetchVersion(source, hash, signal);
  const found = hashOfVersion(content);
  if (found !== hash)
    throw new EventFailure(
      `The platform sent a file with the SHA-256 ${found} instead of ${hash}; it was not installed.`,
    );
  await mkdir(versionsFolder(home), { recursive: true, mode: 0o700 });
  await writeWhole(path, content).catch((error: unknown) => {
    throw new EventFailure(`The new version could not be stored: ${reasonOf(error)}.`);
  });
}

async function fetchVersion({ fetch: send, server }: Source, hash: string, signal: AbortSignal): Promise<Uint8Array> {
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, fetchWithinMs);
  signal.addEventListener('abort', abort, { once: true });
  try {
    const address = new URL(`/install/agent/${hash}.mjs`, server);
    const response = await send(address, { signal: limit.signal });
    if (!response.ok || !response.body)
      throw new EventFailure(
        `The platform does not have this version: GET ${address.pathname} was answered ${response.status}.`,
      );
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes > largestBytes) throw new EventFailure(`The platform sent more than ${largestBytes} bytes.`);
    }
    return Buffer.concat(pieces);
  } catch (error) {
    if (error instanceof EventFailure) throw error;
    throw new EventFailure(`The new version could not be fetched: ${reasonOf(error)}.`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    limit.abort();
  }
}
