// Shows times in the reader's time zone, as their region writes them in the language of the page.
const { lang } = document.documentElement;
const locale = navigator.languages.find((each) => each.split('-')[0] === lang) ?? lang;
const format = new Intl.DateTimeFormat(locale, {
  dateStyle: 'medium',
  timeStyle: 'short',
});
for (const time of document.querySelectorAll('time')) {
  time.title = time.textContent ?? '';
  time.textContent = format.format(new Date(time.dateTime));
}
