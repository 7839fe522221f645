import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Service } from 'kubernetes-models/v1/Service';
import { parseAllDocuments } from 'yaml';
import { repository } from '../process/server-process.ts';

/* deploy/kubernetes, by the schemas of Kubernetes. No cluster is at hand to apply it. */

const kinds = { ConfigMap, Deployment, PodDisruptionBudget, Service } as const;

async function readManifests(): Promise<Record<string, unknown>[]> {
  const text = await readFile(join(repository, 'deploy/kubernetes/earshot.yaml'), 'utf8');
  return parseAllDocuments(text).map((each) => each.toJS() as Record<string, unknown>);
}

function validate(manifest: Record<string, unknown>): void {
  const Model = kinds[manifest['kind'] as keyof typeof kinds];
  new Model(manifest).validate();
}

interface Pods {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly terminationGracePeriodSeconds: number;
        readonly containers: readonly Record<string, { readonly httpGet?: { readonly path: string } }>[];
      };
    };
  };
}

const namesOf = (manifests: readonly Record<string, unknown>[], kind: string): string[] =>
  manifests.filter((each) => each['kind'] === kind).map((each) => (each as unknown as Pods).metadata.name);

test('the manifests are valid by the schemas of Kubernetes', async () => {
  const manifests = await readManifests();
  expect(namesOf(manifests, 'Deployment')).toEqual(['earshot-api', 'earshot-worker']);
  expect(namesOf(manifests, 'PodDisruptionBudget')).toEqual(['earshot-api', 'earshot-worker']);
  for (const manifest of manifests) validate(manifest);
  const deployment = manifests.find(({ kind }) => kind === 'Deployment');
  const broken = { ...deployment, spec: { ...(deployment?.['spec'] as object), replicas: 'two' } };
  expect(() => validate(broken)).toThrow(/replicas/);
});

test('nodes are taken out before they end, live by /healthz alone, and have no secret in the manifests', async () => {
  const manifests = await readManifests();
  const settings = manifests.find(({ kind }) => kind === 'ConfigMap')?.['data'] as Readonly<Record<string, string>>;
  expect(Object.keys(settings).filter((name) => /KEY|PASSWORD|DATABASE/.test(name))).toEqual([]);
  for (const { kind, spec } of manifests as unknown as Pods[]) {
    if (kind !== 'Deployment') continue;
    const { template, selector } = spec;
    expect(template.metadata.labels).toEqual(selector.matchLabels);
    expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(Number(settings['EARSHOT_DRAIN_SECONDS']));
    for (const container of template.spec.containers) {
      expect(container['livenessProbe']?.httpGet?.path).toBe('/healthz');
      expect(container['startupProbe']?.httpGet?.path).toBe('/readyz');
    }
  }
});
