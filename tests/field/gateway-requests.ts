import { gatewayList } from '@earshot/contract/operations';
import type { FormPart, SentCall } from './curl-form.ts';
import { curlForm, openMhzCall, trunkRecorderCall, trunkRecorderMeta } from './curl-form.ts';

interface GatewayForm {
  /** Empty for a request without a body. */
  readonly parts: (call: SentCall) => readonly FormPart[];
  /** The key is sent as `Authorization: Bearer`, not as a part. */
  readonly bearer?: boolean;
  /** The key must permit transcription. */
  readonly transcribes?: boolean;
}

const soundPart = ({ sound }: SentCall): FormPart => ({
  name: 'file',
  value: sound,
  filename: 'call.wav',
  type: 'audio/wav',
});
const forTranscription = { bearer: true, transcribes: true };

const forms: Readonly<Record<string, GatewayForm>> = {
  uploadRdioCall: { parts: trunkRecorderCall },
  uploadTrunkRecorderCall: { parts: trunkRecorderMeta },
  uploadOpenMhzCall: { parts: openMhzCall },
  checkOpenMhzKey: { parts: ({ key }) => [{ name: 'api_key', value: key }] },
  transcribeAsOpenAI: {
    ...forTranscription,
    parts: (call) => [soundPart(call), { name: 'model', value: 'whisper-1' }],
  },
  transcribeAsWhisperCpp: { ...forTranscription, parts: (call) => [soundPart(call)] },
  listModelsAsOpenAI: { ...forTranscription, parts: () => [] },
  getModelAsOpenAI: { ...forTranscription, parts: () => [] },
};

/** Every gateway of the contract, with the form that its clients send. A gateway without one fails here. */
export const gateways = gatewayList.map(([name, { method, path, gateway }]) => {
  const form = forms[name];
  if (!form || !gateway) throw new Error(`There is no form for the gateway ${name}.`);
  const filled = path.replace('{shortName}', 'county').replace('{modelID}', 'whisper-1');
  return { name, method, path: filled, answers: gateway.answers, ...form };
});

export type Gateway = (typeof gateways)[number];

/** Sends a call to a gateway; without a key if it is empty. */
export function sendTo(
  { method, path, parts, bearer }: Gateway,
  url: string,
  call: SentCall,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const keyed = parts(call).filter(({ value }) => value !== '');
  const form = method === 'GET' ? undefined : curlForm(keyed);
  const authorization = bearer && call.key ? { authorization: `Bearer ${call.key}` } : {};
  return fetch(new URL(path, url), {
    method,
    body: form?.body ?? null,
    headers: { ...form?.headers, ...authorization, ...headers },
  });
}
