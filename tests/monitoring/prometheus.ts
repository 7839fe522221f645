import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@earshot/server/testing/free-port';

export interface Prometheus {
  /** The result of an instant query: the value of each series. Throws if the expression is invalid. */
  query(expression: string): Promise<readonly PrometheusSample[]>;
  stop(): Promise<void>;
}

export interface PrometheusSample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

/** Scrapes the targets every second. */
export async function startPrometheus(targets: readonly string[], rules: string): Promise<Prometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-prometheus-'));
  const config = join(folder, 'prometheus.yml');
  // YAML contains JSON.
  const settings = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [rules],
    scrape_configs: [{ job_name: 'earshot', static_configs: [{ targets }] }],
  };
  await writeFile(config, JSON.stringify(settings));
  const address = `127.0.0.1:${await findFreePort()}`;
  const options = [`--config.file=${config}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`];
  const child = spawn('prometheus', options, { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await untilReady(address, child, () => log);
  return {
    async query(expression) {
      const search = new URLSearchParams({ query: expression });
      const response = await fetch(`http://${address}/api/v1/query?${search}`);
      const answer = (await response.json()) as { error?: string; data?: { result: PrometheusSample[] } };
      if (!answer.data) throw new Error(`${expression}: ${answer.error}`);
      return answer.data.result;
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve());
        child.kill();
      }),
  };
}

async function untilReady(address: string, child: ChildProcess, log: () => string): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(`http://${address}/-/ready`).catch(() => undefined);
    if (response?.ok) return;
    await sleep(100);
  }
  throw new Error(`Prometheus ended: ${log()}`);
}
