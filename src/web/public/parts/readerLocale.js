const { lang } = document.documentElement;

/** The region of the reader, in the language of the page: its `en` is `en-GB` to a reader in Britain. */
export const readerLocale = navigator.languages.find((each) => each.split('-')[0] === lang) ?? lang;

/** When a link ends, with the zone: others read it, too. */
export const endFormat = new Intl.DateTimeFormat(readerLocale, {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  timeZoneName: 'short',
});
