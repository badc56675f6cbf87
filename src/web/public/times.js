// Shows times in the reader's time zone, as their region writes them in the language of the page.
import { readerLocale } from './parts/readerLocale.js';

const long = new Intl.DateTimeFormat(readerLocale, { dateStyle: 'medium', timeStyle: 'short' });
const short = new Intl.DateTimeFormat(readerLocale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
for (const time of document.querySelectorAll('time')) {
  time.title = time.textContent ?? '';
  time.textContent = ('short' in time.dataset ? short : long).format(new Date(time.dateTime));
}
