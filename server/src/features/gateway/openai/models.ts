import { Refusal } from '../../../errors.ts';
import type { GatewayAnswer } from '../../../platform/http/serve-gateway.ts';
import { json } from './answer.ts';

/** The name that programs send when they mean "your engine". */
const usualModel = 'whisper-1';

const describe = (id: string) => ({ id, object: 'model', created: 0, owned_by: 'earshot' });

const modelsOf = (engines: readonly string[]): readonly string[] =>
  engines.length === 0 ? [] : [usualModel, ...engines];

export const listModels = (engines: readonly string[]): GatewayAnswer =>
  json(200, { object: 'list', data: modelsOf(engines).map(describe) });

export function describeModel(engines: readonly string[], name: string): GatewayAnswer {
  if (!modelsOf(engines).includes(name)) throw new Refusal('notFound', 'This server has no engine of this name.');
  return json(200, describe(name));
}
