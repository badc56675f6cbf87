// The page of a new push: the message names the end as its sender reads it, with the zone, and phones offer their share
// sheet. Sharing that is cancelled, or fails there, changes nothing here.
import { replaceInMessage } from './parts/messageToSend.js';
import { readerLocale } from './parts/readerLocale.js';

const button = document.querySelector('button[data-share]');
const link = document.getElementById('link');
if (button instanceof HTMLButtonElement && link instanceof HTMLTextAreaElement) {
  const { title = '', share = '', until = '', untilText = '' } = button.dataset;
  const format = new Intl.DateTimeFormat(readerLocale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    timeZoneName: 'short',
  });
  const localUntil = format.format(new Date(until));
  replaceInMessage(untilText, localUntil);
  const text = share.replace(untilText, localUntil);
  button.hidden = !('share' in navigator);
  button.addEventListener('click', () => navigator.share({ title, text, url: link.value }).catch(() => {}));
}
