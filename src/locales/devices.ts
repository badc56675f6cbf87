import Bowser from 'bowser';
import type { Messages } from './locales.ts';

const productMax = 40;

/** What a client says it is, in words: “Chrome on Linux”, or the name of a program, such as “curl”. */
export function deviceLabel({ devices }: Pick<Messages, 'devices'>, userAgent: string): string {
  if (userAgent === '') return devices.unknown;
  const { browser, os } = Bowser.parse(userAgent);
  const [product = ''] = userAgent.split(/[\s/]/);
  const name = browser.name || product.slice(0, productMax) || devices.unknown;
  return os.name ? devices.on(name, os.name) : name;
}

/** As `deviceLabel`, for messages about somebody else's client: nothing that a program shows as a link. */
export function plainDeviceLabel(messages: Pick<Messages, 'devices'>, userAgent: string): string {
  const label = deviceLabel(messages, userAgent);
  return /^[\p{L}\d ]{1,60}$/u.test(label) ? label : messages.devices.unknown;
}
