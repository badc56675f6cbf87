import { formatsOf } from './formats.ts';

const formats = formatsOf('en');
const { count, inTime } = formats;

/** Everything that pages say, in English; the other languages have its shape. */
export const en = {
  ...formats,
  language: 'English',
  direction: 'ltr' as 'ltr' | 'rtl',
  frame: {
    toContent: 'Skip to the content',
    languages: 'Language',
    nav: 'Main',
    make: 'New push',
    pushes: 'Your pushes',
    account: 'Account',
    admin: 'Admin',
    signIn: 'Sign in',
    signOut: 'Sign out',
    about: 'Secrets behind links that die, kept on this server alone.',
  },
  share: {
    title: 'Someone shared a secret with you',
    description: 'Open this link to view it. It may only work once.',
  },
  step: {
    title: 'Someone shared a secret with you',
    lead: 'Opening it uses up a view, and it may only work once. Have a place ready to keep it.',
    hold: 'Hold to reveal',
    holdHow: 'Press and hold until the ring closes. With a keyboard, hold Space or Enter.',
    keepHolding: 'A little longer: hold until the ring closes, or type the word below.',
    opening: 'Opening …',
    otherWay: 'I cannot press and hold',
    word: 'open',
    typeWord: (word: string) => `Type the word “${word}”`,
    show: 'Show the secret',
    passphraseLead: 'It is protected. Enter the passphrase that you were given; opening it uses up a view.',
    passphrase: 'Passphrase',
    showTyped: 'Show what I type',
  },
  stepProblem: {
    early: 'That was too quick for a person. Please try once more.',
    late: 'This page had been open for a while. Please try once more; nothing was used up.',
    foreign: 'Please try once more; nothing was used up. If this comes again, allow cookies for this site.',
    word: (word: string) => `Please type the word “${word}” to show the secret. Nothing was used up.`,
    wrongPassphrase: 'That passphrase is incorrect.',
    triesLeft: (tries: number) =>
      tries === 0
        ? 'That was the last try for now. Wait half an hour, then try again.'
        : count(tries, { one: 'You have # try left.', other: 'You have # tries left.' }),
    shownBefore: 'You opened this a moment ago, and that used up a view. Opening it again uses up another.',
  },
  make: {
    title: 'Share a secret',
    lead: 'It is sealed, and gone after so many views or days, whichever comes first.',
    kind: 'What is it?',
    kinds: { text: 'Text', url: 'Link', qr: 'QR code', file: 'Files' },
    payload: 'The secret',
    payloadHow: 'A password, a key, a letter; or the address or text, if it is a link or a QR code.',
    generatePassword: 'Generate a password',
    expires: 'Erase it after',
    views: 'Views at most',
    viewsCount: (views: number) => count(views, { one: '# view', other: '# views' }),
    passphrase: 'Passphrase',
    passphraseHow: 'Optional. Whoever opens the link has to know it; send it by another way.',
    generatePassphrase: 'Generate a passphrase',
    more: 'More',
    name: 'Name',
    nameHow: 'Optional, and for you alone: what you find it by.',
    note: 'Note',
    noteHow: 'Optional, and for you alone.',
    retrievalStep: 'Ask before showing it, so that link previews spend no view',
    deletableByViewer: 'Whoever has the link may delete it',
    notices: 'Tell me',
    submit: 'Make the link',
    wrong: 'Something is not right yet. Nothing was made.',
  },
  made: {
    title: 'Your link is ready',
    lead: 'Send it to whom it is for. Who opens it first uses up its views.',
    link: 'The link',
    copyLink: 'Copy the link',
    message: 'A message to paste',
    messageText: (link: string, views: string, until: string) =>
      `I have a secret for you. It opens ${views}, until ${until}:\n${link}`,
    opens: (views: number) => (views === 1 ? 'once' : count(views, { one: '# time', other: '# times' })),
    copyMessage: 'Copy the message',
    mail: 'Write an e-mail',
    subject: 'A secret for you',
    qr: 'QR code of the link',
    showQr: 'Show it as a QR code',
    passphrase: 'Send the passphrase by another way than the link.',
    another: 'Make another',
    toPush: 'See what happens to it',
  },
  compose: {
    lead: 'Made here, it never passes through the chat. This page works once; the link appears in the chat when you are done.',
    needsRecipients:
      'In that workspace every push needs recipients: choose them in the form in the chat, and open this page from there again.',
    made: 'You find it in the chat as well.',
    gone: {
      title: 'This page is used up',
      text: 'It works once, for a quarter of an hour. Ask for a new one in the chat.',
    },
  },
  notices: {
    viewed: 'when it is viewed',
    viewedChoices: { first: 'the first time', every: 'every time', none: 'never' },
    expired: 'when it ends',
    failedPassphrase: 'when somebody enters a wrong passphrase',
    reminder: 'when it ends soon and nobody has seen it',
  },
  shown: {
    title: 'A secret for you',
    show: 'Show',
    hide: 'Hide',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Copying failed: select the text and copy it yourself.',
    download: 'Download as text',
    wrap: 'Wrap lines',
    linkTo: 'A link to',
    linkAdvice: 'Open it only if you know this address. Nothing was opened for you.',
    qr: 'QR code of the secret',
    qrTooLong: 'This is too long for a QR code, so here it is as text.',
    qrText: 'What the code says',
    viewsLeft: (views: number) =>
      count(views, { one: 'It can be opened once more.', other: 'It can be opened # more times.' }),
    lastView:
      'This was the last view: the secret is now erased here. Keep it safe before you leave this page.',
    timeLeft: (ms: number) => `It is erased ${inTime(ms)}.`,
    erasedNow: 'Its time is over: it is now erased here.',
    deleteNow: 'Delete now',
    deleteHow: 'Nobody can open it after that, and it cannot be undone.',
  },
  deleted: {
    title: 'The secret is deleted',
    text: 'It is erased here, and its link opens nothing any more.',
  },
  shownBefore: {
    title: 'You have seen this secret',
    text: 'It was shown a moment ago, in answer to the same press, and that was its last view. It is erased here now.',
  },
  gone: {
    title: 'This secret is not available',
    text: 'The link is wrong, or the secret has expired or was deleted. Ask whoever sent it for a new one.',
    ask: 'You could write this to whoever sent it:',
    message: 'The secret link that you sent me does not open any more. Could you send me a new one?',
    copy: 'Copy this message',
  },
  /** What the domain says of a wrong input, as a sentence. */
  problem: (text: string) =>
    `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`,
  refusal: {
    title: 'That did not work',
    tooMany: (seconds: number) => `Too many tries. You can try again ${inTime(seconds * 1000)}.`,
    otherSite: 'This form was sent from another site.',
    stale: 'This form is out of date. Go back, load the page again and repeat what you did.',
    unavailable: 'The service cannot be reached just now. Nothing was used up: try again in a moment.',
    failure: 'Something went wrong on our side.',
    notFound: 'There is nothing here.',
  },
};

export type Words = typeof en;
