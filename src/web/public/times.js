// Shows times in the reader's time zone, as their region writes them in the language of the page.
import { readerLocale } from './parts/readerLocale.js';

const format = new Intl.DateTimeFormat(readerLocale, { dateStyle: 'medium', timeStyle: 'short' });
for (const time of document.querySelectorAll('time')) {
  time.title = time.textContent ?? '';
  time.textContent = format.format(new Date(time.dateTime));
}
