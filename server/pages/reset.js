import { callApi } from './call-api.js';
import { connectForm } from './form.js';
import { takeLinkToken } from './link-token.js';
import { part } from './page.js';
import { connectPasswordButtons, connectPasswordHint } from './password-field.js';

const linkToken = takeLinkToken();
connectPasswordButtons();
connectPasswordHint(part('password'), part('password-hint'));

connectForm(
  part('reset'),
  async ({ password }) => {
    await callApi('POST', '/v1/session/passwordreset', { token: linkToken(), password });
    location.replace('/#password-changed');
  },
  ({ status }) => (status === 401 ? 'This link is not valid any more. Ask an admin for a new one.' : undefined),
);
