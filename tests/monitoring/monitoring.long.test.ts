import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { simulate } from '../../cli/src/simulate/simulate.ts';
import { startTestServer } from '@earshot/server/testing/server';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Prometheus } from './prometheus.ts';
import { startPrometheus } from './prometheus.ts';

const folder = fileURLToPath(new URL('../../deploy/monitoring/', import.meta.url));
const promtool = (...words: string[]) => execFileSync('promtool', words, { cwd: folder, encoding: 'utf8' });

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

const dashboard = JSON.parse(await readFile(`${folder}grafana-dashboard.json`, 'utf8')) as Dashboard;
const rules = await readFile(`${folder}alerts.yml`, 'utf8');
const alerts = [...rules.matchAll(/alert: (\w+)\n\s+expr: '(.*)'\n/g)].map(([, name = '', expression = '']) => ({
  name,
  expression: expression.replaceAll("''", "'"),
}));

const prometheusNeeded = needs('prometheus');

test('the rules and the configuration are valid', prometheusNeeded, () => {
  expect(promtool('check', 'config', 'prometheus.yml')).toContain('SUCCESS');
  expect(alerts.length).toBe(rules.split('- alert:').length - 1);
});

test('each alert has a test that fires and one that does not, and they pass', prometheusNeeded, async () => {
  const tests = await readFile(`${folder}alerts.test.yml`, 'utf8');
  const named = [...tests.matchAll(/- name: (.*)/g)].map(([, name]) => name);
  expect(named).toEqual(alerts.flatMap(({ name }) => [`${name} fires`, `${name} does not fire`]));
  expect(promtool('test', 'rules', 'alerts.test.yml')).toContain('SUCCESS');
});

describe('with a running fleet', prometheusNeeded, () => {
  const stops: (() => Promise<unknown>)[] = [];
  let prometheus: Prometheus;
  beforeAll(async () => {
    const server = await startTestServer();
    stops.push(() => server.stop());
    prometheus = await startPrometheus([new URL(server.url).host], `${folder}alerts.yml`);
    stops.push(() => prometheus.stop());
    const fleet = {
      devices: 20,
      seconds: 20,
      clipsPerHour: 900,
      clipSeconds: 0.5,
      uploadShare: 0.5,
      eventsPerHour: 900,
    };
    const given = {
      url: server.url,
      client: server.admin.session,
      credential: undefined,
      transcribe: false,
      keep: true,
    };
    const result = await simulate({ ...fleet, ...given, signal: new AbortController().signal }, () => {});
    expect(result).toMatchObject({ isGood: true });
  }, 300_000);
  afterAll(async () => {
    for (const stop of stops.toReversed()) await stop();
  });

  const panels = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
  test.each(panels)('the dashboard shows $title: $expr', async ({ expr }) => {
    const samples = await prometheus.query(expr);
    expect(samples.length).toBeGreaterThan(0);
    expect(samples.map(({ value }) => Number(value[1])).filter(Number.isNaN)).toEqual([]);
  });

  test.each(alerts)('the metrics of the alert $name exist', async ({ expression }) => {
    await prometheus.query(expression);
    const names = new Set(expression.match(/\b(?:earshot|nodejs|process)_\w+|\bup\b/g));
    expect(names.size).toBeGreaterThan(0);
    const found = await Promise.all([...names].map((name) => prometheus.query(name)));
    // The folder of the database is known only if the server runs it.
    const missing = [...names].filter((_name, index) => found[index]?.length === 0);
    expect(missing.filter((name) => name !== 'earshot_database_free_bytes')).toEqual([]);
  });

  test('the numbers are those of the fleet', async () => {
    const value = async (expression: string) => Number((await prometheus.query(expression))[0]?.value[1]);
    expect(await value('earshot_uploads_total')).toBeGreaterThan(0);
    expect(await value('earshot_upload_bytes_total')).toBeGreaterThan(8_000);
    expect(await value('earshot_wakeup_seconds_count')).toBeGreaterThan(0);
    expect(await value('max_over_time(earshot_agents_waiting[5m])')).toBeGreaterThan(5);
  });
});
