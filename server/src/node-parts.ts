import type { Feature, Parts, Resources } from './feature.ts';

/** The parts of a node that exist so far. A part that is not in use is known with the value undefined. */
export class NodeParts {
  readonly #known = new Map<string, unknown>();

  constructor(resources: Resources) {
    this.add(resources);
  }

  add(parts: Partial<Parts>): void {
    for (const [name, part] of Object.entries(parts)) this.#known.set(name, part);
  }

  /** Throws if the part does not exist yet; `reader` is the feature that asks. */
  read<Name extends keyof Parts>(name: Name, reader = 'the node'): Parts[Name] {
    if (this.#known.has(name)) return this.#known.get(name) as Parts[Name];
    throw new Error(`${reader} reads the part ${name} before it exists; see the order in features.ts`);
  }

  /**
   * The parts that a feature needs. Each is read when it is used, because a feature opens before the features behind it
   * in the list, and may use their parts later.
   */
  pick<Need extends keyof Parts>({ name, needs }: Pick<Feature<Need>, 'name' | 'needs'>): Pick<Parts, Need> {
    const getters = needs.map((need) => [need, { enumerable: true, get: () => this.read(need, name) }]);
    return Object.defineProperties({}, Object.fromEntries(getters)) as Pick<Parts, Need>;
  }

  /** Throws if a feature needs a part that nothing provides. */
  requireAll(features: readonly Pick<Feature, 'name' | 'needs'>[]): void {
    const missing = features.flatMap(({ name, needs }) =>
      needs.filter((need) => !this.#known.has(need)).map((need) => `${name} needs ${need}`),
    );
    if (missing.length > 0) throw new Error(`no feature provides these parts: ${missing.join(', ')}`);
  }
}
