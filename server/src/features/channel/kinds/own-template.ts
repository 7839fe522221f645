import type { ChannelKind } from './kind.ts';
import { createHttpKind } from './http.ts';
import type { HttpTemplate, Template } from './http-templates.ts';

/** What may follow `{{` in a template of a person. */
const known = ['title', 'text', 'link', 'severity', 'time', 'messageID', 'subject'];

const templateOf = (text: string, token: string | undefined): HttpTemplate => ({
  method: 'POST',
  url: '{{url}}',
  ...(token === undefined ? {} : { headers: { authorization: 'Bearer {{token}}' } }),
  body: JSON.parse(text) as Template,
  escape: 'none',
});

/** Any service that takes JSON: the person writes the JSON, with places for what is told. */
export const ownTemplate: ChannelKind = {
  ...createHttpKind(templateOf('{}', undefined)),
  check(settings, means) {
    const fault = faultOf(settings.template ?? '');
    const others = createHttpKind(templateOf('{}', undefined)).check(settings, means);
    return fault === undefined ? others : [...others, { path: 'template', message: fault }];
  },
  send: (message, settings, carrier) =>
    createHttpKind(templateOf(settings.template ?? '{}', settings.token)).send(message, settings, carrier),
};

function faultOf(text: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return 'must be JSON';
  }
  if (typeof parsed !== 'object' || parsed === null || /:\s*null|[[,]\s*null/.test(text))
    return 'must be a JSON object or list without null';
  const unknown = Array.from(text.matchAll(/\{\{(.*?)\}\}/g), ([, name = '']) => name).find(
    (name) => !known.includes(name),
  );
  return unknown === undefined ? undefined : `has {{${unknown}}}; known are ${known.join(', ')}`;
}
