// Shows times in the reader's time zone and the language of the page.
const format = new Intl.DateTimeFormat(document.documentElement.lang, {
  dateStyle: 'medium',
  timeStyle: 'short',
});
for (const time of document.querySelectorAll('time')) {
  time.title = time.textContent ?? '';
  time.textContent = format.format(new Date(time.dateTime));
}
