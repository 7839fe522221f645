import { callApi } from './call-api.js';
import { connectForm } from './form.js';
import { takeLinkToken } from './link-token.js';
import { part } from './page.js';
import { connectPasswordButtons, connectPasswordHint } from './password-field.js';

const linkToken = takeLinkToken();
connectPasswordButtons();
connectPasswordHint(part('password'), part('password-hint'));

connectForm(
  part('setup'),
  async ({ email, password }) => {
    await callApi('POST', '/v1/setup', { token: linkToken(), email, password });
    location.replace('/');
  },
  ({ status }) => {
    if (status === 401) {
      return 'This link is not valid any more. Start the server again: it prints a new one.';
    }
    return status === 409 ? 'There is an account already. Sign in with it on the start page.' : undefined;
  },
);
