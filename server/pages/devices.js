import { ApiError } from './call-api.js';
import { connectForm } from './form.js';
import { announce, make, makeTime, part, showText } from './page.js';

/** What a list answers with when it is not asked for a number. */
const listLength = 100;

/** @typedef {{ deviceName?: string, deviceSerial?: string, online?: boolean, lastHeardFromDate?: string }} Device */

/** @param {import('./call-api.js').Call} call */
export function createDevices(call) {
  const form = /** @type {HTMLFormElement} */ (part('add-device'));

  connectForm(form, async ({ deviceSerial, deviceName }) => {
    await call('POST', '/v1/device', deviceName ? { deviceSerial, deviceName } : { deviceSerial });
    form.reset();
    part('deviceSerial').focus();
    announce(`Device ${deviceSerial} added.`);
    await load();
  });

  async function load() {
    try {
      show(await call('POST', '/v1/device/list', {}));
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      showText(part('devices-failed'), failure.message);
    }
  }

  /** @param {Device[]} devices */
  function show(devices) {
    showText(part('devices-failed'));
    part('no-devices').hidden = devices.length > 0;
    part('devices').replaceChildren(...devices.map(makeRow));
    const count = part('device-count');
    if (devices.length < listLength) count.textContent = devices.length > 0 ? String(devices.length) : '';
    else count.textContent = `the newest ${listLength}`;
  }

  return {
    load,
    clear() {
      part('devices').replaceChildren();
      form.reset();
    },
  };
}

/** @param {Device} device */
function makeRow({ deviceName = '', deviceSerial = '', online = false, lastHeardFromDate }) {
  const name = make(
    'div',
    { class: 'row-name' },
    make('strong', {}, deviceName || deviceSerial),
    make('code', {}, deviceSerial),
  );
  const state = make('span', { class: online ? 'state online' : 'state' }, online ? 'Online' : 'Offline');
  const facts = make('div', { class: 'row-facts' }, state);
  if (!online) {
    facts.append(' · ', ...(lastHeardFromDate ? ['last heard ', makeTime(lastHeardFromDate)] : ['never heard from']));
  }
  return make('li', {}, name, facts);
}
