/** What may be left of a link after it was copied, quoted, wrapped or rewritten, all of which must lead to its push. */
export const mistypedLinks: Record<string, (link: string) => string> = {
  ...Object.fromEntries(
    [
      ...['.', ',', ';', ':', '!', '?', '…', '。', '-', '_', '*', '**', '~', '=', '/', '//', '\\', '|', '`'],
      ...[')', ']', '}', '>', '>.', ').', '»', '"', "'", '”', '’'],
      ...[' ', '\u00a0', '\u200b', '\ufeff', '%20', '%0A', '%0D%0A'],
      ...['&gt;', '&quot;', '&nbsp;', '%3E', '%22', '%29', '</a>', '%3C/a%3E', '<br>', '%253E'],
    ].map((end): [string, (link: string) => string] => [`followed by “${end}”`, (link) => link + end]),
  ),
  'in capitals': (link) => link.toUpperCase(),
  'with the token in capitals': (link) => link.replace(/(?<=\/p\/)\w+/, (token) => token.toUpperCase()),
  'with O for 0 and I for 1': (link) =>
    link.replace(/(?<=\/p\/)\w+/, (token) => token.replaceAll('0', 'O').replaceAll('1', 'I')),
  'with a space before the token': (link) => link.replace('/p/', '/p/ '),
  'with a bracket before the token': (link) => link.replace('/p/', '/p/<'),
  'wrapped with a space': (link) => link.replace(/(?<=\/p\/\w{9})/, ' '),
  'wrapped with an encoded line break': (link) => link.replace(/(?<=\/p\/\w{9})/, '%0D%0A'),
  'wrapped with a soft hyphen': (link) => link.replace(/(?<=\/p\/\w{9})/, '\u00ad'),
  'with its # encoded': (link) => link.replace('#', '%23'),
};

/** What is no link any more by its form. */
export const cutLinks: Record<string, (link: string) => string> = {
  'without its last character': (link) => link.slice(0, -1),
  'cut in the middle': (link) => link.slice(0, -13),
  'cut before the token': (link) => link.slice(0, -26),
  'with one character more': (link) => `${link}x`,
};
