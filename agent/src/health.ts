import { readFile, statfs } from 'node:fs/promises';
import { cpus, freemem, loadavg, totalmem, uptime } from 'node:os';
import type { AgentConfig } from './config.ts';
import { showPath } from './file-name.ts';
import { openNetworksWarning } from './join/upload-address.ts';
import type { Journal } from './journal.ts';

const mostNamed = 20;
const longestPath = 1_000;

export interface HealthParts {
  readonly config: Pick<AgentConfig, 'folder' | 'allowNetworks'>;
  readonly journal: Journal;
  /** Why recordings wait that could not be announced or uploaded, by their ids. */
  readonly delayed: () => ReadonlyMap<string, string>;
}

/** What the platform reads from a health report. `hasNames`: files are named, for which a filter may refuse the report. */
export async function describeHealth(
  { config: { folder, allowNetworks }, journal, delayed }: HealthParts,
  hasNames = true,
): Promise<object> {
  // A disk that does not answer is no reason to report nothing.
  const disk = await statfs(folder).catch(() => undefined);
  const temperature = await readFile('/sys/class/thermal/thermal_zone0/temp', 'utf8').catch(() => '');
  const entries = [...journal.entries.values()];
  const aside = entries.flatMap(({ path, setAside }) =>
    setAside ? [{ path, reason: setAside.reason, sinceMs: setAside.sinceMs }] : [],
  );
  const waiting = [...delayed()].flatMap(([id, reason]) => {
    const entry = journal.entries.get(id);
    return entry && entry.removedBecause === undefined && !entry.setAside ? [{ path: entry.path, reason }] : [];
  });
  return {
    time: { datetime: Date.now() },
    cpu: {
      loadAverage: loadavg()[0],
      cores: cpus().length,
      ...(temperature ? { temperature: Number(temperature) / 1_000 } : {}),
    },
    memory: { freeBytes: freemem(), totalBytes: totalmem(), agentBytes: process.memoryUsage.rss() },
    ...(disk === undefined
      ? {}
      : {
          disk: {
            freeBytes: disk.bavail * disk.bsize,
            percent: Math.round(1_000 * (1 - disk.bavail / Math.max(1, disk.blocks))) / 10,
          },
        }),
    uptimeSeconds: Math.round(uptime()),
    ...(allowNetworks === undefined ? { warnings: [openNetworksWarning] } : {}),
    recordings: {
      known: entries.length,
      notAnnounced: entries.filter(({ clipID }) => clipID === undefined).length,
      notUploaded: entries.filter(({ isUploaded }) => !isUploaded).length,
      setAside: aside.length,
      delayed: waiting.length,
      ...(hasNames ? nameFiles(aside, waiting) : {}),
    },
  };
}

interface NamedFile {
  readonly path: string;
  readonly reason: string;
}

const nameFiles = (aside: readonly (NamedFile & { readonly sinceMs: number })[], waiting: readonly NamedFile[]) => ({
  setAsideFiles: aside
    .slice(0, mostNamed)
    .map(({ sinceMs, ...file }) => ({ ...nameFile(file), sinceDate: new Date(sinceMs).toISOString() })),
  delayedFiles: waiting.slice(0, mostNamed).map(nameFile),
});

/** The end of a path tells more than its beginning, and a report has an end too. */
const nameFile = ({ path, reason }: NamedFile) => ({ path: showPath(path).slice(-longestPath), reason });
