import { Type } from 'typebox';
import { operation } from './operation.ts';
import { Key, shortTextLength, text } from './values.ts';

/** Acknowledging from a message. The link has a token for one person and one alert. */

export const linkTokenLength = 500;

export const acknowledgeByLink = operation('alert', {
  method: 'POST',
  path: '/v1/alert/acknowledge',
  summary: 'Acknowledge an alert with the link of a message',
  description:
    'As the person to whom the message was sent, if that person may still see the alert. An alert that is not open stays as ' +
    'it is. If the token is wrong or expired: 401.',
  access: 'anyone',
  acts: [],
  body: Type.Object(
    { token: Type.String({ maxLength: linkTokenLength, examples: ['from the link of a message'] }) },
    { title: 'AcknowledgeByLink' },
  ),
  answer: Type.Object(
    {
      alertID: Key,
      ruleName: Type.Optional(text(shortTextLength)),
      state: Type.String({ examples: ['acknowledged'] }),
    },
    { title: 'AcknowledgedAlert' },
  ),
  errors: [401],
  sameOrigin: true,
  repetition: 'harmless',
  trail: ['alert-changed'],
});
