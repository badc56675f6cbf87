// Shows times in the reader's time zone, as their region writes them in the language of the page.
import { endFormat, readerLocale } from './parts/readerLocale.js';

const long = new Intl.DateTimeFormat(readerLocale, { dateStyle: 'medium', timeStyle: 'short' });
const short = new Intl.DateTimeFormat(readerLocale, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
for (const time of document.querySelectorAll('time')) {
  const { format } = time.dataset;
  const inFormat = format === 'short' ? short : format === 'end' ? endFormat : long;
  time.title = time.textContent ?? '';
  time.textContent = inFormat.format(new Date(time.dateTime));
}
