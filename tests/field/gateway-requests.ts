import { gatewayList } from '@earshot/contract/operations';
import type { FormPart, SentCall } from './curl-form.ts';
import { curlForm, openMhzCall, trunkRecorderCall, trunkRecorderMeta } from './curl-form.ts';

interface GatewayForm {
  readonly parts: (call: SentCall) => readonly FormPart[];
  /** The key is sent as `Authorization: Bearer`, not as a part. */
  readonly bearer?: boolean;
}

const forms: Readonly<Record<string, GatewayForm>> = {
  uploadRdioCall: { parts: trunkRecorderCall },
  uploadTrunkRecorderCall: { parts: trunkRecorderMeta },
  uploadOpenMhzCall: { parts: openMhzCall },
  checkOpenMhzKey: { parts: ({ key }) => [{ name: 'api_key', value: key }] },
  transcribeAsOpenAI: {
    parts: ({ sound }) => [
      { name: 'file', value: sound, filename: 'call.wav', type: 'audio/wav' },
      { name: 'model', value: 'whisper-1' },
    ],
    bearer: true,
  },
};

/** Every gateway of the contract, with the form that its clients send. A gateway without one fails here. */
export const gateways = gatewayList.map(([name, { path, gateway }]) => {
  const form = forms[name];
  if (!form || !gateway) throw new Error(`There is no form for the gateway ${name}.`);
  return { name, path: path.replace('{shortName}', 'county'), answers: gateway.answers, ...form };
});

export type Gateway = (typeof gateways)[number];

/** Sends a call to a gateway; without a key if it is empty. */
export function sendTo(
  { path, parts, bearer }: Gateway,
  url: string,
  call: SentCall,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const keyed = parts(call).filter(({ value }) => value !== '');
  const form = curlForm(keyed);
  const authorization = bearer && call.key ? { authorization: `Bearer ${call.key}` } : {};
  return fetch(new URL(path, url), {
    method: 'POST',
    body: form.body,
    headers: { ...form.headers, ...authorization, ...headers },
  });
}
