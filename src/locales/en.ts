/* Long because it holds every English text of the pages and the chats. Translations follow its shape. */

import { addressForms } from '../platforms.ts';
import { formatsOf, megabytes } from './formats.ts';
import type { ProblemTexts, RefusalTexts } from './wording.ts';

const formats = formatsOf('en');
const { count, inTime, number } = formats;

const views = (views: number) => count(views, { one: '# view', other: '# views' });
const times = (count: number) => (count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`);
const more = (left: number) => (left > 2 ? `${left} more times` : `${times(left)} more`);
const beforeEnd = (used: number) =>
  used === 0 ? 'Nobody had opened it.' : `It had been opened ${times(used)}.`;

/** How many views a notice stands for, and how many of how many are used by now. */
type EventViews = { views: number; used: number; max: number };

/** Durations, the commands that connect a browser, and whether the places of addresses are looked up. */
type PrivacyFacts = Record<'retention' | 'grace', string> & {
  connect: Record<'slack' | 'discord', string>;
  showsPlaces: boolean;
};

/** Words that people type to open a push: common, short, and spelled as they sound. */
const confirmWords = `
  acorn amber anchor apple apron autumn basket beacon blanket bridge bucket butter candle canyon carpet
  castle cherry copper cotton cradle desert dragon engine falcon feather forest garden ginger hammer
  harbor island jacket kettle ladder lantern lemon magnet marble meadow mirror monkey needle olive orange
  paddle pepper pillow planet pocket puzzle rabbit ribbon river saddle salmon shadow silver spider summer
  ticket tiger tunnel velvet violet wallet walnut willow winter wizard
`;

const tokenScopes = {
  full: 'Everything that you may do',
  create: 'Create links, and delete those that it created',
  read: 'Read lists and audit logs, without links',
};

/** What is wrong with an input, to follow its name. */
const problems: ProblemTexts = {
  invalid: () => 'is invalid',
  required: () => 'must not be blank',
  text: () => 'must be text',
  wellFormed: () => 'must be well-formed Unicode',
  boolean: () => 'must be true or false',
  object: () => 'must be an object',
  incorrect: () => 'is incorrect',
  self: () => 'is you',
  oneOf: ({ values }) => `must be one of ${values.join(', ')}`,
  between: ({ min, max }) => `must be between ${min} and ${max}`,
  minLength: ({ min }) => `must have at least ${min} characters`,
  guessable: () => 'is easy to guess: it repeats, follows the keyboard, or is well known',
  maxLength: ({ max, unit }) => `must have at most ${max} ${unit}`,
  email: () => 'must be an e-mail address',
  accountEmail: () => 'That is not the address of this account.',
  accountName: () => 'That is not the name of this account.',
  url: ({ max }) =>
    `must be a whole address that begins with http:// or https://, of at most ${max} characters`,
  notEncrypted: () => 'is not encrypted: see docs/encryption.md',
  webhookUrl: () => 'must be an absolute http or https address',
  chatAddress: () => `must be ${addressForms('or')}, with the ids of the chat`,
  severalChats: () => 'must all be in one workspace, or all in Discord',
  urlCredentials: () => 'must not hold a user name or a password',
  urlFragment: () => 'must not have a fragment',
  privateUrl: () => 'must not lead to this machine or a private network',
  issuer: () => 'must be an https address without query, such as https://token.actions.githubusercontent.com',
  privateIssuer: () => 'is on a private network: whoever runs this server has to list it in PRIVATE_ISSUERS',
  claims: () => 'must be names and values, such as repository = acme/app',
  issuerAlone: () =>
    'must name one at least: without, everybody with a token of this issuer could act as you',
  sharedIssuer: ({ values }) =>
    `must name one of ${values.join(', ')}: all customers of this issuer can have tokens with the others`,
  widePrefix: ({ claim }) =>
    `must not match more than it seems: ${claim} has to end with / or : before the *, and to say whose it is, such as repo:acme/app:*`,
  secondDuration: () => 'must not be combined with another duration',
  maxCount: ({ max }) => `must be at most ${max}`,
  fileRequired: () => 'must be at least one',
  uploadRequired: () => 'must be at least one, sent as multipart/form-data',
  notUploaded: () => 'must be sent as multipart/form-data, each with a filename',
  fileField: ({ field }) => `must be sent as ${field}`,
  fileKind: () => 'must be files while files are chosen',
  filenameRequired: () => 'must have names',
  filenameWellFormed: () => 'must have names of well-formed Unicode',
  filenameMaxLength: ({ max }) => `must have names of at most ${max} characters`,
  requiredByWorkspace: () => 'must not be empty in this workspace',
  membersOnly: () => 'must all be members of this workspace, not guests or people from outside',
  workspaceMax: ({ max }) => `must be at most ${max} in this workspace`,
  moreThanViews: ({ views: left }) => `must be at most ${left}, because the link has ${views(left)} left`,
  unequalViews: ({ views: all }) => `must be ${all}, the views of all recipients together, or be left out`,
};

/** What a caller of the API can do about an error. Follows the error itself. */
const cures = {
  passphraseRequired:
    'This push needs a passphrase. Send it in the header X-Passphrase, or in the query parameter “passphrase”.',
  wrongPassphrase: 'The passphrase that you sent is wrong. Capital letters and spaces count.',
  filesNeedSubscription:
    'Whoever runs this server can allow it: “hushpush admin account subscribe EMAIL” for one account, FILES=everyone for all.',
  sendInBody: 'The parameters are in the address. Send them in the body, where no log keeps the secret.',
  sendUtf8:
    'Send the body in UTF-8. Windows PowerShell 5.1 needs -Body ([Text.Encoding]::UTF8.GetBytes($json)).',
  useVersion1: 'This server speaks version 1 of the API: create with POST /p.json. See /docs.',
};

/** Why something was refused. */
const refusals: RefusalTexts = {
  tokenRequiredToCreate: 'Creating a push needs an API token on this server.',
  encryptionDisabled: 'This server does not take secrets that it cannot read.',
  pushNotFound: 'There is no such push.',
  notOwner: "That push doesn't belong to you.",
  notDeletableByViewers: 'That push is not deletable by viewers.',
  recipientsNeedAccount: 'A push with recipients needs an account.',
  reservedForRecipients: 'That secret opens only through the links of its recipients.',
  notRecipient: 'This secret is not for you.',
  mayNotPush: 'The rules of this workspace do not let you share secrets.',
  mayNotManage: 'Only people who manage this server or workspace can change that.',
  mayNotOpen:
    'The rules of this workspace let only its members receive secrets, not guests or people from outside.',
  standingUnknown:
    'The rules of this workspace are for its members, and the chat does not tell us who they are. Nothing was done. Try again, or ask an admin whether the app is still added here.',
  openedAlready: 'You have opened this secret already.',
  hasLinkAlready: 'You have a link to this secret already, in a direct message.',
  noViewLeft: 'You are too late: others have opened this secret as often as it allows.',
  openedByAll: 'All recipients have opened this secret already.',
  reminderTooLate: 'This secret expires before a reminder could reach you.',
  wrongPassphrase: 'That passphrase is incorrect.',
  viewAlreadyClaimed: 'That view was already given. It is repeated for a minute only.',
  idempotencyKeyInUse: 'Another request with this Idempotency-Key is in progress. Try again shortly.',
  idempotencyKeyReused: 'This Idempotency-Key was sent with another request before. Use a new one.',
  lifetimeTooLong: ({ days }) =>
    `No link lives longer than ${count(days, { one: '# day', other: '# days' })} here, counted from when it was created.`,
  expiryTooLate: 'The workspace of this link does not let it live that long.',
  expiryNotLater: 'That link ends later, or has ended.',
  filesDisabled: 'This server does not take file attachments.',
  filesNeedAccount: 'File attachments require an account.',
  filesNeedSubscription: 'File attachments require a subscription.',
  fileTooLarge: ({ max }) => `A file may have at most ${megabytes(max)}.`,
  filesTooLarge: ({ max }) => `All files together may have at most ${megabytes(max)}.`,
  uploadTooSlow: 'The upload took too long. Try again.',
  downloadNotFound: 'There is no such download, or its time is over.',
  fileDamaged: 'This file is damaged in the file store. Tell whoever runs this server.',
  fileMissing: 'A file of this secret is not in the file store. Tell whoever runs this server.',
  noFileStore: 'This server has no file store.',
  fileStoreFull: 'There is no space left for files.',
  fileStoreUnreachable: 'The file store is out of reach. Try again shortly.',
  fileStoreInconsistent: 'The file store does not show what it took.',
  tokenRequired: 'This needs an API token: send it as “Authorization: Bearer TOKEN”.',
  invalidToken: 'The API token is not valid.',
  emptyToken:
    'The request has no API token: send “Authorization: Bearer TOKEN”, or both X-User-Email and X-User-Token.',
  tokenExpired: 'The API token has expired. Create another one.',
  tokenOnlyCreates: 'This API token may only create pushes, and expire those that it created.',
  tokenOnlyReads: 'This API token may only read lists and audit logs.',
  wrongCredentials: 'The e-mail address or the password is wrong.',
  wrongPassword: 'That password is incorrect.',
  signUpDisabled: 'Accounts are created by whoever runs this server.',
  secondFactorRequired: 'This account has a second factor. Sign in with a code as well.',
  stepUpRequired: 'Sign in again to do this: the last time was more than ten minutes ago.',
  wrongCode: 'This code is wrong, too old, or was used already.',
  factorNotFound: 'The account does not have this factor.',
  noSecondFactor: 'The account has no second factor.',
  passwordSignInOff: 'Passwords sign nobody in here. Sign in by one of the providers on the sign-in page.',
  providerNotFound: 'There is no such way to sign in here.',
  providerUnreachable:
    'The service that signs you in does not answer. Nothing is lost: try again in a moment.',
  providerDeclined: ({ provider }) =>
    `${provider} did not sign you in. If you did not cancel it yourself, ask whoever manages accounts there.`,
  providerAnswerRejected: ({ provider }) =>
    `The answer of ${provider} could not be verified, so nobody was signed in. Try again. If it stays, ask whoever runs this server to look into its log: it says why.`,
  providerWithoutEmail: ({ provider }) =>
    `${provider} did not tell us your e-mail address. Ask whoever manages accounts there to release e-mail addresses to hushpush.`,
  providerEmailUnproved: ({ provider }) =>
    `${provider} does not say that your e-mail address was proved to be yours, and only proved addresses may sign in here. Confirm it there, or ask whoever manages accounts there.`,
  providerDomain: ({ provider }) =>
    `Your e-mail address at ${provider} is of a domain that may not sign in here. Sign in there with another account.`,
  providerWithoutGroups: ({ provider, claim }) =>
    `${provider} did not tell us your groups, and only some groups may sign in here. Ask whoever manages accounts there whether you are in one, and whether the claim “${claim ?? ''}” is released to hushpush.`,
  providerGroup: ({ provider }) =>
    `You are in no group at ${provider} that may sign in here. Ask whoever manages accounts there.`,
  providerGroupsOverage: ({ provider }) =>
    `You are in too many groups for ${provider} to list them. Ask whoever manages accounts there to send hushpush only the groups that are assigned to it, or app roles.`,
  providerIdentityTaken: 'That account is connected to an account here already.',
  identityNotConnected: 'That account is not connected any more.',
  lastWayToSignIn:
    'You could not sign in again: this is the only way. Set a password first, or connect another account.',
  logoutTokenInvalid: 'The logout token is wrong, too old, or was used already.',
  sessionNotFound: 'There is no such session.',
  accountNotFound: ({ email }) => `There is no account ${email}.`,
  accountExists: ({ email }) => `There is already an account ${email}.`,
  passwordExists: ({ email }) =>
    `${email} has a password already. For a new one, create a link that resets it.`,
  chatAccountPassword: 'This account belongs to a chat user, who signs in from the chat. It has no password.',
  accountErased: 'The account is gone.',
  accountChanged: 'Your account has just changed. Nothing was created. Try again.',
  accountDisabled: 'This account is disabled.',
  ownAccount: 'You cannot disable your own account.',
  tokenExists: ({ name }) => `The account already has a token named ${name}.`,
  tooManyTokens: ({ max }) => `The account has ${max} API tokens already. Revoke one first.`,
  ruleExists: ({ name }) => `The account already has a trust rule named ${name}.`,
  tooManyRules: ({ max }) => `The account has ${max} trust rules already. Remove one first.`,
  ruleNotFound:
    'There is no such trust rule. The audience of the token names it (hushpush: and its id), or client_id does.',
  identityUnreadable: 'That is no signed JSON Web Token (JWT), or it is too long.',
  identityIssuer: 'The issuer of the token (iss) is not that of the trust rule.',
  identityAudience: 'The audience of the token (aud) is not that of the trust rule.',
  identityAlgorithm: 'The algorithm of the token (alg) is not accepted: RS256, ES256 and EdDSA are.',
  identityKeyUnknown:
    'The issuer has no key for this token (kid). Keys are read again once a minute: try again, with another token.',
  identitySignature: 'The signature of the token is wrong.',
  identityExpired: 'The token has expired (exp), or the clock of its issuer or of this server is wrong.',
  identityEarly:
    'The token is not valid yet (nbf, iat): the clock of its issuer or of this server is wrong by more than a minute.',
  identityClaim: ({ claim }) =>
    `The claim ${claim} of the token is missing, or not what the trust rule asks for.`,
  identityLongLived: 'The token lives for more than a day (exp).',
  identityUsed: 'The token was used already. Each works once: get another one from the issuer.',
  issuerUnusable:
    'The keys of the issuer cannot be read at its address: it has no OpenID Connect Discovery there, or is not public.',
  issuerUnreachable: 'The issuer of the token does not answer. Try again later.',
  tokenNotFound: ({ name }) => `The account has no token named ${name}.`,
  chatNotFound: 'There is no such chat.',
  identityOwnsAccount: 'The account was created for them. Delete it, or merge it.',
  identityNotLinked: 'The account is not connected to them.',
  notInChat:
    'Your account is not connected to that chat. Connect it first: the page “Connected chats” of your account says how.',
  alreadyDone: 'This was done already.',
  createTooSlow: 'That took too long. Nothing was created.',
  requestToSelf: 'You cannot ask yourself.',
  tooManyOpenRequests: 'You have too many open requests. Cancel some first.',
  requestDueOutOfRange: 'A request can wait for its answer for 10 minutes to 14 days.',
  requestEnded: 'This request has ended.',
  linkUsed: 'This link was used, or is too old.',
  linkRequestEnded: 'This request has ended, or is too old. Ask for a new link.',
  signInElsewhere:
    'You share an account that has a sign-in of its own. Sign in to it with its e-mail address and password.',
  webhookExists: 'The account has a webhook for this address already.',
  tooManyWebhooks: ({ max }) => `The account has ${max} webhooks already; remove one first.`,
  webhookNotFound: 'The account has no such webhook.',
  webhookDisabled: 'The webhook is disabled. Enable it first.',
  deliveryNotFound: 'The webhook has no such delivery.',
  tooManyRequests: ({ seconds }) => `Too many requests. Try again in ${seconds} seconds.`,
  databaseBusy: 'The database is too busy. Try again shortly.',
  parentRemoved: 'What this belongs to has just been removed. Nothing was saved.',
  databaseUnreachable: 'The database is out of reach. Try again shortly.',
  databaseFull: 'There is no space left in the database.',
  databaseInterrupted: 'The database did not finish this. Try again shortly.',
  commitUnconfirmed: 'The database did not confirm. Try again shortly.',
  migrationLocked: 'Another process keeps migrating the database.',
  schemaReverted: 'The database lacks migrations of this version.',
  schemaDiffers: 'The schema of the database is not the one that this version makes.',
  tooManyPasswordChecks: 'Too many passwords are being checked. Try again shortly.',
  notReady: 'The service is starting, or waits for its database.',
  stopping: 'This process is about to stop.',
  keyMissing: 'A key that this needs is missing here. Nothing was counted. Tell whoever runs this server.',
  recordDamaged:
    'This is damaged in the database and cannot be decrypted. Nothing was counted. Tell whoever runs this server.',
  jobNotFound: ({ name, names }) => `There is no job ${name}; there are ${names}.`,
  keyNotFound: ({ keyId }) => `There is no master key ${keyId} here.`,
  keyIsActive: ({ keyId }) => `Master key ${keyId} encrypts new records. Add another one first.`,
  keyEncryptsRecords: ({ keyId, records }) =>
    `Master key ${keyId} still encrypts ${count(records, { one: '# record', other: '# records' })}. Run hushpush admin keys reseal.`,
  keyEncryptsExpiring: ({ keyId, records, until }) =>
    `Master key ${keyId} still encrypts ${count(records, { one: '# record that', other: '# records that' })} can only expire, the last one at ${new Date(until).toISOString()}.`,
  keyJustReplaced: ({ keyId, seconds, names }) =>
    `Master key ${keyId} was just replaced${names === '' ? '' : `, and ${names} may still encrypt with it`}. Try again in ${count(Math.max(seconds, 10), { one: '# second', other: '# seconds' })}.`,
  discordOff: 'Discord is off: none of its settings is set.',
};

/** The English texts, and the shape of all other languages. Long because a language is one file for its translator. */
export const en = {
  ...formats,
  language: 'English',
  direction: 'ltr' as 'ltr' | 'rtl',
  layout: {
    toContent: 'Skip to the content',
    languages: 'Language',
    nav: 'Main',
    home: 'Share a secret',
    newPush: 'New link',
    pushes: 'Your links',
    account: 'Account',
    admin: 'Admin',
    signIn: 'Sign in',
    signOut: 'Sign out',
    docs: 'API',
    cancel: 'Cancel',
    about: 'One-time links for secrets, on this server.',
  },
  themes: { label: 'Appearance', system: 'System', light: 'Light', dark: 'Dark' },
  linkPreview: {
    title: 'Someone shared a secret with you',
    description: 'Open this link to view it. It may only work once.',
  },
  confirm: {
    title: 'Someone shared a secret with you',
    lead: 'Opening it uses up a view, and it may only work once. Have a place ready to keep it.',
    hold: 'Hold to open',
    holdHint: 'Press and hold until the ring closes, then let go. With a keyboard, hold Space or Enter.',
    holdNext: 'Now press and hold the button.',
    keepHolding: 'A little longer: hold until the ring closes, then let go. Or type the word below.',
    letGo: 'Let go to open it.',
    opening: 'Opening …',
    offline: 'You are offline. Nothing was used up. Try again when you have a connection.',
    otherWay: 'I cannot press and hold',
    typeWord: (word: string) => `Type the word “${word}”`,
    show: 'Show the secret',
    passphraseLead: 'It is protected. Enter the passphrase that you were given; opening it uses up a view.',
    passphrase: 'Passphrase',
    key: {
      label: 'Key',
      missing:
        'The link has no key, or only a part of it. Paste the whole link here, or what follows # in it. Nothing was used up.',
      found: 'The key is complete.',
      needsHttps:
        'The secret is encrypted, and browsers decrypt only under an address with https://. Nothing was used up.',
      needsScripts:
        'The secret is encrypted. To decrypt it, your browser needs JavaScript. Nothing was used up.',
    },
  },
  whatIsThis: {
    runBy: (operator: string) => `, run by ${operator}`,
    question: 'What is this?',
    paragraphs: [
      'Somebody sent you a secret, such as a password, by a link that erases what it has shown.',
      'There is nothing to install, to pay or to sign in to.',
      'This page never asks for a password of yours. If you do not know who sent you the link, find out before you open it.',
    ],
  },
  confirmWords: confirmWords.trim().split(/\s+/),
  confirmProblems: {
    early: 'That was too quick for a person. Please try once more.',
    late: 'This page had been open for a while. Please try once more; nothing was used up.',
    foreign: 'Please try once more; nothing was used up. If this comes again, allow cookies for this site.',
    unconfirmed: 'Please type the word below, or hold the button. Nothing was used up.',
    passphrase: 'Enter the passphrase to open the secret. Nothing was used up.',
    wrongPassphrase: 'That passphrase is incorrect.',
    triesLeft: (tries: number) =>
      tries === 0
        ? 'That was the last try for now. Wait half an hour, then try again.'
        : count(tries, { one: 'You have # try left.', other: 'You have # tries left.' }),
    openedBefore: (ago: string) =>
      `You opened this ${ago}, and that used up a view. Opening it again uses up another.`,
  },
  generator: {
    style: 'Passwords that are generated',
    styles: {
      symbols: 'with symbols',
      letters: 'without symbols',
      digits: 'digits only',
      words: 'words to read aloud',
    },
    length: 'How many characters, or words',
  },
  newPush: {
    title: 'Share a secret',
    kinds: { text: 'Text', url: 'Link', qr: 'QR code', file: 'Files' },
    payload: 'Your secret',
    placeholder: 'A password, a key, a note, a link …',
    generatePassword: 'Generate a password',
    asLink: 'Show it as a link',
    files: {
      label: 'Attach files',
      drop: 'or drop them here',
      limits: (count: string, each: string, all: string) =>
        `At most ${count}, of ${each} each, and ${all} together.`,
      tooMany: (count: string) => `A link carries at most ${count} files.`,
      tooLarge: (name: string, size: string, each: string) =>
        `“${name}” has ${size}; a file may have at most ${each}.`,
      tooMuch: (name: string, all: string) =>
        `With “${name}” the files would have more than ${all} together.`,
      folder: (name: string) => `“${name}” is a folder. Pack it into one file first.`,
      remove: (name: string) => `Take out ${name}`,
      removed: (name: string) => `${name} is taken out.`,
      summary: (count: string, size: string) => `Chosen: ${count} · ${size}`,
      sending: (percent: string) => `Sending: ${percent}`,
      finishing: 'All is sent. One moment …',
      cancel: 'Cancel',
      cancelled: 'Cancelled. Nothing was created, and no file was kept.',
      broken: 'The connection broke before an answer came. All that you entered is still here: try again.',
    },
    encryption: {
      label: 'Encrypt it in this browser',
      hint: 'This server cannot read it then. Only the link on the next page has the key, and nothing can show it again.',
      encrypting: 'Encrypting …',
      unreadable: 'It could not be encrypted: a file may have changed since you chose it. Nothing was sent.',
      address: 'Enter an address that begins with http:// or https://.',
    },
    opens: 'The link opens',
    ends: 'and ends after',
    options: 'Options',
    set: {
      none: 'none set',
      text: undefined,
      url: 'shown as a link',
      qr: 'shown as a QR code',
      sender: 'sender',
      passphrase: 'passphrase',
      encrypted: 'encrypted',
      name: 'named',
      retrievalStep: 'opens at once',
      deletableByViewer: 'recipients cannot delete it',
    },
    sender: 'From',
    senderHint: 'Shown with the opened secret, such as “Ana, IT”.',
    passphrase: 'Passphrase',
    passphraseHint: 'The recipient has to enter it. The next page shows it once more, to copy.',
    generatePassphrase: 'Generate a passphrase',
    generate: 'Generate',
    showAs: 'Show it as',
    shownAs: { text: 'text', url: 'a link to follow', qr: 'a QR code to scan' },
    keep: 'Keep these choices as my defaults',
    name: 'Name',
    nameHint: 'Only you see it. It helps you find the link again.',
    note: 'Note',
    noteHint: 'Only you see it.',
    flags: {
      retrievalStep: 'Ask before showing it, so that link previews use up no views',
      deletableByViewer: 'Anyone with the link may delete it',
    },
    notices: 'Notify me',
    submit: 'Create the link',
    withoutAccount: 'Create it without my account',
    insecure:
      'This server has no https: what you enter crosses the network in the clear, and so does whatever the link shows. Ask whoever runs it for https.',
    promises: [
      'Encrypted before it is stored.',
      'Erased after its last view, or when its time is over.',
      'Link previews and mail scanners use up no views.',
    ],
    wrong: 'Something is not right yet. Nothing was created.',
    empty: 'Enter the secret.',
    tooLong: (max: number) => `That is more than ${number(max)} characters. Attach it as a file.`,
    outdated: {
      stale:
        'This form was out of date, so nothing was created. What you entered is still here: send it again.',
      ended:
        'Your session has ended, so nothing was created. What you entered is still here, and goes on once you have signed in.',
    },
    offline:
      'You are offline. Nothing was sent, and what you entered stays here. Try again when you have a connection.',
  },
  pushCreated: {
    title: 'Your link is ready',
    lead: 'Send it to the person it is for. Opening it yourself uses up a view.',
    link: 'The link',
    copyLink: 'Copy the link',
    message: 'Message to send',
    messageText: (views: string, until: string) =>
      `I have a secret for you. It opens ${views}, until ${until}:`,
    opens: (views: number) => (views === 1 ? 'once' : count(views, { one: '# time', other: '# times' })),
    copyMessage: 'Copy the message',
    share: 'Share …',
    mail: 'Write an e-mail',
    textMessage: 'Write a text message',
    subject: 'A secret for you',
    opensUntil: (opens: string) => `It opens ${opens}, until`,
    qr: 'QR code of the link',
    qrHint: 'Scan it with the camera of a phone to open the link there.',
    print: 'Print',
    saveName: 'Save',
    passphrase:
      'Send the passphrase by another way than the link. Nothing shows it again once you close this tab.',
    copyPassphrase: 'Copy the passphrase',
    encrypted: {
      advice:
        'Encrypted in your browser: what follows # is the key, and only this tab has it. Copy the link before you close the tab.',
      gone: 'The key of this secret is not in this tab. If you have not copied the link before, nobody can open it: create it again.',
      key: 'The key',
      copyKey: 'Copy the key',
      passKey:
        'Their links do not contain the key, and only this tab has it. Before you close the tab, send it to them yourself, some other way: the page asks for it.',
    },
    another: 'Share another secret',
    toPush: 'See what happens to it',
  },
  status: {
    title: 'What happened to your secret',
    link: 'Your private link to this page',
    linkHint:
      'Keep it to yourself if you want to come back. It can delete the secret, and never shows it, nor the link that opens it.',
    deleteTitle: 'Delete the secret',
    gone: {
      title: 'Open your private link again',
      text: 'This browser shows the page for an hour after that. If the link itself leads here, it is mistyped, or the secret ended long ago and its record is deleted.',
    },
  },
  connect: {
    title: 'Connect your browser',
    chatUser: (name: string, chat: string) => `${name} in ${chat}`,
    signInLead: (who: string) => `Sign this browser in as ${who}. It then shows the links from there.`,
    signIn: (who: string) => `Sign in as ${who}`,
    otherTitle: 'Use an account of yours',
    otherLead: (who: string) =>
      `Do you have an account with an e-mail address? Sign in to it first. You come back here, and can share it with ${who}.`,
    toSignIn: 'Sign in to an account',
    toSignUp: 'Create an account',
    linkLead: (who: string, account: string) =>
      `You are about to share the account ${account}, which you are signed in to, with ${who}. From then on, ${who}:`,
    gives: [
      'sees all links of this account, past and future, and can open them;',
      'can extend and delete each of them, and answer the requests for secrets that reach this account;',
      'creates links that belong to this account, where you see them;',
      'gets the notifications of this account in that chat.',
    ],
    keeps: (who: string) =>
      `${who} cannot sign in to this account on the web, and gets none of its API tokens. You can disconnect them at any time.`,
    /** `address` cannot be chosen by the user, unlike their name. */
    identified: (who: string, workspace: string, address: string) =>
      workspace === ''
        ? `${who} has the id ${address}.`
        : `${who} has the id ${address}, in the workspace ${workspace}.`,
    pushesMoved: (pushes: number) =>
      pushes === 0
        ? 'There are no links to bring along.'
        : count(pushes, {
            one: '# link comes along, and belongs to this account from then on.',
            other: '# links come along, and belong to this account from then on.',
          }),
    tokensRevoked: (tokens: number) =>
      count(tokens, {
        one: '# API token that only the chat used is revoked.',
        other: '# API tokens that only the chat used are revoked.',
      }),
    moves: (who: string, account: string) =>
      `${who} belongs to the account ${account} now, and moves here. The links created until now stay there.`,
    alreadyLinked: (who: string, account: string) => `${who} belongs to the account ${account} already.`,
    toChats: 'See your connected chats',
    link: (who: string) => `Share this account with ${who}`,
    warning:
      'Go on only if that is you, and you asked for this link yourself, just now, in that chat. Did somebody send it to you? Then close this page.',
    waitingTitle: (chat: string) => `Now confirm it in ${chat}`,
    waitingLink: (who: string, account: string) => `${who} is to share the account ${account}.`,
    waitingSignIn: (who: string) => `This browser is to be signed in as ${who}.`,
    waitingHow: (chat: string) =>
      `You have a direct message from us in ${chat}. Press “Enter the code” there, and type this code within ten minutes. Tell it to nobody.`,
    waitingFallback: (command: string) => `No message? Write ${command} there.`,
    waitingCheck: 'This page continues by itself. If it does not, press here.',
    gone: {
      title: 'This link is used up',
      text: 'It works once, for ten minutes. Ask for a new one in the chat.',
    },
  },
  compose: {
    lead: 'What you enter here does not pass through the chat. This page works once; the link appears in the chat when you are done.',
    needsRecipients:
      'In that workspace every link needs recipients: choose them in the form in the chat, and open this page from there again.',
    created: 'The chat shows it, too.',
    createdEncrypted: 'The chat does not have the key, so it cannot show this link. Send it from here.',
    sent: 'Its recipients got a message in the chat. Each can open it there with views of their own.',
    gone: {
      title: 'This page is used up',
      text: 'It works once, within 15 minutes. Ask for a new one in the chat.',
    },
  },
  activityExport: {
    title: 'Activity of a workspace',
    of: (workspace: string, chat: string) => `${workspace} in ${chat}`,
    contents:
      'A table in CSV: when each link there was created and by whom, and when it was opened, extended or deleted, by whom if that is known, and from which address. It contains no secrets, none of the links themselves, and no names.',
    once: 'It can be downloaded once. Ask for a new link in the settings of the chat.',
    download: 'Download the table',
    gone: {
      title: 'This link is used up',
      text: 'It works once, for ten minutes. Ask for a new one in the settings of the chat.',
    },
  },
  pushes: {
    title: 'Your links',
    states: { active: 'Active', expired: 'Expired' },
    requests: 'Requests',
    stateNav: 'Which links',
    filters: {
      label: 'Find links',
      search: 'Name, note or link',
      recipient: 'Recipient',
      kind: 'Kind',
      anyKind: 'Any kind',
      submit: 'Find',
      clear: 'Show all',
    },
    none: {
      active: 'You have no active links. What you share while you are signed in appears here.',
      expired: 'No link has ended yet.',
    },
    noneFound: 'No link matches what you are looking for.',
    searched: (pushes: number) => `${number(pushes)} links searched, and there are older ones.`,
    searchOlder: 'Search older links',
    searchNewest: 'Back to your newest links',
    total: (pushes: number, isCounted: boolean) =>
      isCounted ? count(pushes, { one: '# link', other: '# links' }) : `${number(pushes)}+ links`,
    columns: { push: 'Link', created: 'Created', views: 'Views', end: 'End' },
    files: (files: number) => count(files, { one: '# file', other: '# files' }),
    actions: 'Actions',
    to: (names: string) => `To ${names}`,
    moreRecipients: (more: number) => `${more} more`,
    unreadable: 'Cannot be decrypted: its key is missing',
    views: (used: number, most: number) =>
      `Opened ${used} of ${count(most, { one: '# time', other: '# times' })}`,
    ends: (ms: number) => `ends ${inTime(ms)}`,
    ended: 'ended',
    endReasons: { deleted: 'deleted by hand', views: 'all views used', time: 'expired' },
    previous: 'Previous',
    next: 'Next',
    newer: 'Newer',
    older: 'Older',
    paging: 'Pages',
    pageOf: (page: number, last: number | undefined) =>
      last === undefined ? `Page ${page}` : `Page ${page} of ${last}`,
    selectAll: 'Select all on this page',
    selected: '# selected',
    copyLinkOf: (name: string) => `Copy the link: ${name}`,
    several: {
      extend: {
        action: 'Extend',
        ofSelected: 'Extend the selected',
        title: (pushes: number) => count(pushes, { one: 'Extend # link?', other: 'Extend # links?' }),
        lead: (pushes: number) =>
          count(pushes, {
            one: 'It gets as much time again as it was created with. You cannot take that back.',
            other: 'Each gets as much time again as it was created with. You cannot take that back.',
          }),
        submit: (pushes: number) => count(pushes, { one: 'Extend # link', other: 'Extend # links' }),
        done: (pushes: number) =>
          count(pushes, { one: '# link is extended.', other: '# links are extended.' }),
        longer: (end: string, more: string) => `${end}, and gets ${more} more`,
        longest: 'None of these links may live longer.',
      },
      expire: {
        action: 'Delete',
        ofSelected: 'Delete the selected',
        title: (pushes: number) => count(pushes, { one: 'Delete # link?', other: 'Delete # links?' }),
        lead: (pushes: number) =>
          count(pushes, {
            one: 'Its secret is erased, and nobody can open it any more. This cannot be undone.',
            other: 'Their secrets are erased, and nobody can open them any more. This cannot be undone.',
          }),
        submit: (pushes: number) => count(pushes, { one: 'Delete # link', other: 'Delete # links' }),
        done: (pushes: number) => count(pushes, { one: '# link is deleted.', other: '# links are deleted.' }),
      },
      leftOut: (pushes: number) =>
        count(pushes, {
          one: '# other that you chose is left out: it has ended, or may not live longer.',
          other: '# others that you chose are left out: they have ended, or may not live longer.',
        }),
      none: 'Choose at least one link that is still active.',
      back: 'Back to the list',
    },
    link: 'The link',
    recipients: 'Recipients',
    recipientsOpened: (opened: number, all: number) => `Opened by ${opened} of ${all}`,
    linkOf: (name: string) => `The link of ${name}`,
    notOpened: 'has not opened it yet',
    openedOn: 'opened it on',
    openedByRecipient: (name: string) => `Opened by ${name}`,
    encrypted: 'It is encrypted in the browser: the link opens it only with the key that came with it.',
    limits: {
      title: 'Limits',
      views: 'Views',
      ends: 'Ends',
      ended: 'Ended',
      created: 'Created',
      passphrase: 'Passphrase',
      needed: 'Needed',
      notNeeded: 'None',
      flags: {
        retrievalStep: {
          term: 'Opening',
          on: 'Asks first, so that link previews use up no views',
          off: 'Shows the secret at once, and to link previews as well',
        },
        deletableByViewer: {
          term: 'Deletion',
          on: 'By you, and by anyone with the link',
          off: 'By you alone',
        },
      },
      note: 'Note',
    },
    timeline: 'Activity',
    previews: (times: number) =>
      count(times, {
        one: 'The page was loaded once, by a person or a link scanner, which used up no view',
        other: 'The page was loaded # times, by people or link scanners, which used up no view',
      }),
    technical: 'Technical details',
    nobody: 'Nobody has opened it yet.',
    auditKinds: {
      creation: 'Created',
      view: 'Opened',
      download: 'Downloaded a file',
      failed_view: 'Tried after its end',
      failed_passphrase: 'Wrong passphrase',
      expire: 'Deleted by hand',
      preview: 'Loaded the page, opened nothing',
      edit: 'Changed',
      asked_again: 'Asked for again, after its end',
    },
    openedBy: {
      hold: 'Opened by holding the button',
      word: 'Opened by typing the word',
      passphrase: 'Opened with the passphrase',
      link: 'Opened by following the link',
      api: 'Opened through the API',
    },
    expireTitle: 'Delete this link',
    expire: 'Delete now',
    expireHint: 'Nobody can open it after that, and it cannot be undone.',
    expired: 'The link is deleted.',
    extend: 'Extend',
    extendFrom: 'New lifetime, counted from now',
    extendSubmit: 'Extend',
    extended: 'The new expiry is set.',
  },
  requests: {
    title: 'Requests',
    lead: 'Secrets that you ask for in your chats, and that others ask of you.',
    received: 'Asked of you',
    noneReceived: 'Nobody is waiting for a secret from you.',
    sent: 'Asked by you',
    noneSent: 'You have not asked for a secret.',
    noReason: 'No reason given',
    unreadable: 'The reason cannot be decrypted: its key is missing',
    created: 'Asked',
    until: 'Until',
    states: {
      open: 'Waiting for an answer',
      provided: 'You have the secret',
      declined: 'Declined',
      cancelled: 'You cancelled it',
      undelivered: 'No message reaches them',
      expired: 'Nobody answered in time',
    },
    provide: 'Provide',
    provideTo: (who: string) => `Provide the secret to ${who}`,
    decline: 'Decline',
    declineTo: (who: string) => `Decline the request of ${who}`,
    cancel: 'Cancel',
    cancelTo: (who: string) => `Cancel the request to ${who}`,
    declined: 'The request is declined.',
    cancelled: 'The request is cancelled.',
    ended: 'That request has ended.',
    explanation:
      'In a chat you can ask somebody for a secret, and others can ask you. Only the person who asked gets the answer, and it opens as often as its sender allows. Connect yours to see its requests here.',
    toChats: 'Connect a chat',
    form: {
      title: 'Ask for a secret',
      chat: 'Ask as',
      known: 'People from earlier requests',
      people: 'Member IDs',
      peopleHint:
        'Separated by commas, such as U0456EFGH. In Slack, the menu in the profile of a person copies their member ID; in Discord, in developer mode, the menu of their name does.',
      notMembers: 'These are not all member IDs of that chat.',
      reason: 'What for',
      reasonHint: 'They see it. Do not write the secret itself here.',
      due: 'Time to answer',
      submit: 'Ask',
      sent: 'Everybody you asked gets a message in the chat. Their answers get to you there.',
    },
  },
  admin: {
    title: 'Accounts',
    lead: 'Who has an account here, and what they may do.',
    invite: 'Invite',
    inviteEmail: 'E-mail address of the new account',
    inviteHint: 'Creates the account, and a link to set its password, for you to hand over.',
    none: 'There are no accounts.',
    noneFound: 'No account matches.',
    search: 'E-mail address or name in a chat',
    searchSubmit: 'Find',
    clear: 'Show all',
    total: (accounts: number) => count(accounts, { one: '# account', other: '# accounts' }),
    columns: { account: 'Account', state: 'State', created: 'Created' },
    open: (name: string) => `Manage ${name}`,
    isAdmin: 'admin',
    subscribed: 'may attach files',
    disabled: 'disabled',
    signedUp: 'signed up, address unconfirmed',
    noPassword: 'no password',
    files: 'Files',
    filesHint: 'Whether this account may attach files to its links.',
    password: 'Password',
    passwordHint: 'A link to set a new password, for you to hand over. It works once.',
    access: 'Access',
    own: 'This is your own account: another admin can disable it.',
    acts: 'What others did to this account',
    noActs: 'Nothing.',
    operator: 'At the command line',
    actions: {
      subscribe: 'Allow files',
      unsubscribe: 'Do not allow files',
      disable: 'Disable the account',
      enable: 'Enable the account',
      'password-link': 'Create a password link',
    },
    done: {
      subscribe: 'This account may attach files now.',
      unsubscribe: 'This account may not attach files any more.',
      disable: 'This account is disabled.',
      enable: 'This account is enabled again.',
    },
    disableTitle: (name: string) => `Disable ${name}?`,
    disableHint:
      'This signs the account out everywhere, and stops its tokens, chats and webhooks. Its links go on working. You can enable it again.',
    passwordLink: (email: string) => `Link for ${email}`,
    passwordLinkHint: {
      invite: 'It sets the first password, once, within a day.',
      reset: 'It sets a new password, once, within half an hour, and signs all browsers out.',
    },
    workspaces: 'Slack workspaces',
    workspacesLead: 'Where the Slack app is installed.',
    noWorkspaces: 'The Slack app is installed nowhere.',
    slackOff: 'Slack is off: none of the settings that begin with SLACK_ is set.',
    installedSince: 'Installed',
    installedBy: 'By',
    remove: 'Remove',
    removeOf: (workspace: string) => `Remove ${workspace}`,
    removeTitle: (workspace: string) => `Remove the app from ${workspace}?`,
    removeHint:
      'hushpush forgets its tokens for this workspace: within a minute it answers nobody there, and writes to nobody. It comes back when somebody installs it again. After 30 days without that it erases the accounts and links of its people.',
    removeNow: 'Forget the tokens',
    removed: 'The tokens are forgotten.',
  },
  signIn: {
    showTyped: 'Show what I type',
    title: 'Sign in',
    email: 'E-mail address',
    password: 'Password',
    submit: 'Sign in',
    wrong: 'The e-mail address or the password is wrong.',
    ended: 'Your session has ended. Nothing was saved: sign in, and send the form again.',
    inNewTab: 'Sign in, in a new tab',
    noAccount: 'No account yet?',
    toSignUp: 'Create one',
  },
  signUp: {
    title: 'Create an account',
    lead: 'See who opened what you shared, extend or delete it, and choose when to be notified.',
    passwordHint: 'At least 12 characters. A few words are easy to remember and hard to guess.',
    submit: 'Create account',
    exists: 'There is already an account with this address.',
    hasAccount: 'Already have one?',
  },
  singleSignOn: {
    with: (provider: string) => `Sign in with ${provider}`,
    or: 'Or with a password:',
    title: 'Other accounts',
    lead: 'Accounts elsewhere that sign you in to this one.',
    none: 'Not connected',
    noAddress: 'Without an e-mail address',
    connect: (provider: string) => `Connect an account at ${provider}`,
    connected: 'The account is connected. It signs you in from now on.',
    disconnected: 'The account is disconnected. The browsers that it had signed in are signed out.',
    disconnect: 'Disconnect',
    disconnectOf: (who: string) => `Disconnect ${who}`,
    since: 'Connected',
    lastUsed: 'Last sign-in',
    existsTitle: 'You have an account already',
    exists: (email: string, provider: string) =>
      `There is an account for ${email} here. If it is yours, sign in to it as you did so far, once. Then you can connect your account at ${provider}, and sign in with that from then on.`,
    toSignIn: 'Sign in as before',
    confirmTitle: (provider: string) => `Connect your account at ${provider}?`,
    confirm: (who: string, provider: string, account: string) =>
      `Whoever signs in at ${provider} as ${who} can then use the account ${account}, and everything that belongs to it.`,
    confirmWarning: 'Connect it only if you have just signed in there yourself.',
    confirmSubmit: 'Connect',
    signedOutTitle: 'You are signed out',
    signedOut: (provider: string) =>
      `You are signed out of hushpush. You may still be signed in at ${provider}, and anybody at this computer with you.`,
    signOutThere: (provider: string) => `Sign out at ${provider}, too`,
    gone: {
      title: 'This sign-in is over',
      text: 'It took too long, was finished already, or began in another browser. Nobody was signed in. Go to the sign-in page, and begin again there.',
    },
  },
  stepUp: {
    title: 'Is it you?',
    lead: 'Your last sign-in was more than ten minutes ago. Confirm that it is you. What you entered is not lost.',
    elsewhere:
      'Your last sign-in was more than ten minutes ago. Sign out, sign in again as you did before, and repeat this.',
    submit: 'Confirm',
  },
  secondFactor: {
    title: 'Second step',
    code: 'Code',
    codeHint: 'The six digits that your authenticator app shows.',
    recoveryTitle: 'I do not have my authenticator',
    recovery: 'Recovery code',
    recoveryHint:
      'One of the ten codes that you were given with your second factor. If you have none of them, ask whoever runs this server.',
    submit: 'Sign in',
    gone: {
      title: 'This sign-in is over',
      text: 'It took too long, was finished already, or began in another browser. Nobody was signed in. Go to the sign-in page, and begin again there.',
    },
  },
  factors: {
    title: 'Second factor',
    lead: 'With a second factor, a password alone signs nobody in to your account.',
    manage: 'Manage the second factor',
    app: 'Authenticator app',
    appHint: 'An app on your phone shows a new code every 30 seconds. You need one whenever you sign in.',
    addApp: 'Set up an app',
    replaceApp: 'Set up another app',
    since: 'Since',
    lastUsed: 'Last used',
    never: 'never',
    remove: 'Remove',
    removeApp: 'Remove the authenticator app',
    removeAppHint: 'Codes of this app stop working.',
    recovery: 'Recovery codes',
    recoveryLeft: (left: string) =>
      `${left} of them are left. Each signs you in once if you lose your authenticator.`,
    renew: 'Create new recovery codes',
    renewHint: 'The codes that you have stop working.',
    added: 'The second factor is set up.',
    removed: 'The factor is removed.',
    enrolTitle: 'Set up your app',
    enrolLead:
      'Scan this with your authenticator app, or type the key into it. Then enter the code that it shows.',
    qr: 'QR code with the key',
    key: 'Key',
    confirm: 'Confirm',
    codesTitle: 'Your recovery codes',
    codesLead:
      'Keep them where you keep what you must not lose, and not on your phone. Each works once. They are not shown again.',
    copyKey: 'Copy the key',
    copyCodes: 'Copy',
    done: 'I have kept them',
    gone: {
      title: 'This took too long',
      text: 'The key is not in use. Begin again on the page of your account.',
    },
  },
  newPassword: {
    title: 'Set your password',
    lead: (email: string) => `For the account ${email}. Setting it signs all its browsers out.`,
    revokeTokens: 'Also revoke all API tokens of this account',
    submit: 'Set the password',
    gone: {
      title: 'This link is used up',
      text: 'It works once, and not for long. Ask whoever gave it to you for a new one.',
    },
  },
  account: {
    signedInAs: (email: string) => `You are signed in as ${email}.`,
    sections: 'Account',
    profile: 'Profile',
    security: 'Sign-in and security',
    language: 'Language',
    showIn: 'Show hushpush in',
    languageOfBrowser: 'Same as the browser',
    save: 'Save',
    savedLanguage: 'Your language is saved.',
    savedNotices: 'Your notifications are saved. They apply to links without a choice of their own.',
    noticesTitle: 'Notifications',
    noticesLead: 'Notify me, unless a link says otherwise',
    passwordTitle: 'Password',
    current: 'Current password',
    next: 'New password',
    change: 'Change the password',
    changed: 'The password is changed. All other browsers are signed out.',
    changedAndRevoked:
      'The password is changed. All other browsers are signed out. All API tokens are revoked.',
    changedOnly: 'The password is changed. All other browsers are signed out. The API tokens go on working.',
    revokeRules: 'Also revoke all API tokens of this account, and remove its trust rules',
    revokeTokens: (tokens: number) =>
      count(tokens, {
        one: 'Also revoke the API token of this account',
        other: 'Also revoke the # API tokens of this account',
      }),
    deleteTitle: 'Delete the account',
    deleteHint:
      'Your links with their secrets and logs, your tokens and webhooks are erased at once. It cannot be undone.',
    deleteConfirm: 'Type your e-mail address',
    deletePassword: 'Your password',
    deleteConfirmName: (name: string) => `Type the name of this account: ${name}`,
    chatAccountTitle: 'An e-mail address and a password',
    chatAccount: (who: string, command: string) =>
      `This account was created for ${who}, and only links from that chat sign you in to it. To have one with an e-mail address and a password: sign out, create an account, write ${command} in the chat, and open the link in the same browser. You can then bring all links of this account along.`,
    delete: 'Erase everything',
    deletedTitle: 'The account is erased',
    deleted: 'With all that belonged to it.',
  },
  chats: {
    title: 'Connected chats',
    lead: 'Who you are in chats. What you share there belongs to this account, and its notifications reach you there.',
    none: 'You are connected to no chat.',
    in: (chat: string, workspace: string) => `${chat}, workspace ${workspace}`,
    since: 'Connected',
    unreached: 'Our messages have not reached you there since',
    unreachedHint: 'The privacy settings of the chat decide who may write to you.',
    createdFor:
      'This account was created for them. To disconnect them, delete it, or bring it into another account.',
    disconnect: 'Disconnect',
    disconnectOf: (who: string) => `Disconnect ${who}`,
    disconnectHint: 'They no longer see anything of this account. What they shared stays here.',
    endAccess: 'Also revoke all API tokens, and sign out all other browsers',
    disconnected: 'Disconnected. Your links from there stay in this account.',
    disconnectedAndEnded: 'Disconnected. All API tokens are revoked, and all other browsers are signed out.',
    connected: 'Connected. What you share in that chat belongs to this account now.',
    connectTitle: 'Connect a chat',
    connectIntro: 'In the chat, write',
    connectIn: (chat: string) => `in ${chat}`,
    connectOr: 'or',
    connectThen: ', and open the link that you get in this browser, within ten minutes.',
    off: 'This server is connected to no chat.',
    offFor: (settings: string) => `The settings that begin with ${settings} connect it.`,
  },
  tokens: {
    title: 'API tokens',
    lead: 'Programs use them to act as you. Each is shown once, when it is created.',
    none: 'You have no tokens.',
    name: 'Name',
    nameHint: 'Such as the program that uses it.',
    scope: 'What it may do',
    scopes: tokenScopes,
    lifetime: 'How long it works',
    unlimited: 'Until it is revoked',
    expires: 'Expires',
    expired: 'Expired',
    token: 'Token',
    created: 'Created',
    lastUsed: 'Last used',
    lastUsedFrom: (address: string) => `from ${address}`,
    never: 'never',
    create: 'Create token',
    revoke: 'Revoke',
    revokeOf: (name: string) => `Revoke ${name}`,
    revokeHint: 'Programs that use this token stop working at once.',
    replace: 'Replace',
    replaceOf: (name: string) => `Replace ${name}`,
    replaceHint: 'Makes a new token in its place. When does the one before stop working?',
    replaceHours: { '0': 'At once', '1': 'In an hour', '24': 'In a day' },
    replaceNow: 'Make the new token',
    previousUntil: 'The one before works until',
    revoked: 'The token is revoked.',
    shownOnce: 'Copy it now: it is not shown again.',
    copy: 'Copy the token',
  },
  trustRules: {
    title: 'Trust rules',
    hint: 'Workflows and clusters need no token of yours if you trust the tokens that they have already:',
    lead: 'Programs elsewhere act as you with tokens that others sign, for some minutes each. So no token is stored there.',
    none: 'You have no trust rules.',
    nameHint: 'Such as the repository that uses it.',
    issuer: 'Issuer',
    issuerHint:
      'Who signs the tokens, such as https://token.actions.githubusercontent.com or https://gitlab.com.',
    claims: 'Claims',
    claimsHint:
      'What the tokens must say, one a line, such as repository = acme/app. A value that ends in * is a prefix: it ends with / or : before that.',
    audience: 'Audience',
    audienceHint:
      'For whom the tokens are. Leave it empty for one of the rule’s own, unless the issuer decides it.',
    lifetime: 'How long an API token lasts',
    create: 'Create rule',
    created: 'The trust rule is created.',
    remove: 'Remove',
    removeOf: (name: string) => `Remove ${name}`,
    removeHint: 'Programs that use this rule stop working at once.',
    removed: 'The trust rule is removed.',
  },
  webhooks: {
    title: 'Webhooks',
    lead: 'Addresses that receive the events of your links, signed according to Standard Webhooks.',
    none: 'You have no webhooks.',
    unreadable: 'An address that cannot be decrypted: its key is missing',
    url: 'Address',
    add: 'Add a webhook',
    added: 'Added',
    remove: 'Remove',
    removeOf: (url: string) => `Remove ${url}`,
    removeHint: 'It gets no more events, and its secret is deleted.',
    removed: 'The webhook is removed.',
    enable: 'Enable',
    enableOf: (url: string) => `Enable ${url}`,
    enabled: 'The webhook is enabled again.',
    state: 'State',
    states: { working: 'works', failing: 'fails', disabled: 'disabled' },
    secret: 'The secret that its requests are signed with',
    copy: 'Copy the secret',
    types: 'Only these events',
    typesHint: 'If you choose none, it gets them all.',
    typesLabel: 'Events',
    allTypes: 'all',
    changeTypes: 'Choose events',
    changeTypesOf: (url: string) => `Choose events for ${url}`,
    typesOf: (url: string) => `Events for ${url}`,
    saveTypes: 'Save',
    typesChanged: 'From now on it gets these events.',
    eventTypes: {
      'push.viewed': 'somebody opens a link',
      'push.expired': 'a link expires',
      'push.failed_passphrase': 'somebody enters a wrong passphrase',
      'push.locked': 'wrong passphrases lock a link for a while',
      'push.about_to_expire': 'a link expires soon, and nobody has opened it',
      'push.asked_again': 'somebody asks for a new link, after the old one has ended',
      'account.changed': 'somebody else changes something about your account',
      'webhook.test': 'a test that you asked for',
    },
    test: 'Send a test',
    testOf: (url: string) => `Send a test to ${url}`,
    tested: 'A test is on its way. Reload this page to see what came of it.',
    rotate: 'Replace the secret',
    rotateOf: (url: string) => `Replace the secret of ${url}`,
    rotateHint: 'For a day, requests are signed with the old secret as well. Change your program meanwhile.',
    deliveries: 'Deliveries',
    deliveriesOf: (url: string) => `Deliveries to ${url}`,
    deliveriesLead: 'What was sent in the last week, and what waits, newest first.',
    noDeliveries: 'Nothing was sent to it in the last week.',
    deliveryStates: { waiting: 'waiting', sent: 'sent', failed: 'failed' },
    happened: 'Happened',
    attempts: (attempts: number) => count(attempts, { one: '# attempt', other: '# attempts' }),
    nextAttempt: 'Next attempt',
    redeliver: 'Send again',
    redeliverOf: (event: string) => `Send again: ${event}`,
    redelivered: 'It is on its way again. Reload this page to see what came of it.',
  },
  sessions: {
    title: 'Sessions',
    lead: 'The browsers that are signed in. Each is signed out after two hours without use, and after twelve hours in any case.',
    browser: 'Browser',
    address: 'Address',
    ways: {
      password: (_name: string) => 'Signed in with the password',
      provider: (name: string) => `Signed in by ${name}`,
      passkey: (name: string) => `Signed in with the passkey ${name}`,
      chat: (name: string) => `Signed in from ${name}`,
      link: (_name: string) => 'Signed in by a link',
    },
    since: 'Since',
    lastSeen: 'Last used',
    current: 'this one',
    revoke: 'Sign out',
    revokeOf: (browser: string) => `Sign out ${browser}`,
    revoked: 'The browser is signed out.',
    none: 'No browser is signed in.',
    technical: 'Technical details',
    revokeOthers: 'Sign out all others',
  },
  devices: {
    on: (browser: string, system: string) => `${browser} on ${system}`,
    unknown: 'An unknown browser',
  },
  approximatePlaces: 'Places are approximate: they are derived from network addresses.',
  notices: {
    viewed: 'when it is viewed',
    viewedOptions: { first: 'the first time', every: 'every time', none: 'never' },
    expired: 'when it expires',
    failedPassphrase: 'when someone enters a wrong passphrase',
    reminder: 'when it expires soon and nobody has opened it',
    askedAgain: 'when someone asks for a new link after it has expired, which this allows',
  },
  secret: {
    title: 'A secret for you',
    sender: 'The sender says they are:',
    label: 'The secret',
    invisible: 'It has characters that do not show, or change the order of others. Copy takes them all.',
    show: 'Show',
    hide: 'Hide',
    copy: 'Copy',
    copied: 'Copied',
    copyFailed: 'Copying failed: select the text and copy it yourself.',
    download: 'Download as text',
    wrap: 'Wrap lines',
    files: 'Files',
    message: 'Message',
    filesUntil: 'You can download them for ten minutes from now, and go on where a download broke off.',
    linkTo: 'A link to',
    linkAdvice: 'Open it only if you know this address. Nothing was opened for you.',
    qr: 'QR code of the secret',
    qrTooLong: 'This is too long for a QR code, so here it is as text.',
    qrText: 'What the code says',
    viewsLeft: (views: number) =>
      count(views, { one: 'It can be opened once more.', other: 'It can be opened # more times.' }),
    lastViewOfFiles:
      'This was the last view. Download the files before you leave this page: in ten minutes they are gone for good.',
    lastView:
      'This was the last view: the secret is now erased here. Keep it safe before you leave this page.',
    timeLeft: (when: string) => `It is erased ${when}`,
    erasedNow: 'Its time is over: it is now erased here',
    deleteNow: 'Delete now',
    deleteHint: 'The link stops working for everyone. This cannot be undone.',
    deleteForGood: 'Delete for good',
    unexpectedKey:
      'This link has the key of an encrypted secret, but this secret is not encrypted: do not trust it until its sender has confirmed it.',
    key: 'Key',
    encryption: {
      missing:
        'The secret is here, but encrypted, and the link has no key, or only a part of it. Paste the whole link here, or what follows # in it.',
      wrong: 'That key belongs to another secret. This one is still here: paste the whole link that you got.',
      submit: 'Decrypt it',
      damaged: 'The files do not match what the sender encrypted. Ask them to send it again.',
      decrypting: (name: string, percent: string) => `Decrypting ${name}: ${percent}`,
      fileFailed: (name: string) =>
        `${name} could not be decrypted. Try again; if that does not help, it has changed since it was sent.`,
      needsHttps: 'The secret is here, but browsers decrypt only under an address with https://.',
      needsScripts: 'The secret is here, encrypted. To decrypt it, your browser needs JavaScript.',
    },
  },
  deleted: {
    title: 'The secret is deleted',
    text: 'It is erased here, and its link opens nothing any more.',
  },
  locked: {
    title: 'Too many tries',
    text: (ms: number) => `To protect the secret, you can try again ${inTime(ms)}. Nothing was used up.`,
    reopens: 'You can leave this page open: it reloads by itself.',
  },
  alreadyOpened: {
    title: 'You have seen this secret',
    text: (ago: string) =>
      `You opened it in this browser ${ago}. It cannot be opened any more, and is erased here.`,
  },
  gone: {
    title: 'This secret is not available',
    text: 'It has expired, was opened as often as it allows, or was deleted; or the link is wrong. Ask whoever sent it for a new one.',
    ask: 'You could write this to whoever sent it:',
    message: 'The secret link that you sent me does not open any more. Could you send me a new one?',
    copy: 'Copy this message',
    askSender: 'Ask the sender for a new one',
    askSenderHint: 'Whoever sent it is told that somebody came too late.',
  },
  incompleteLink: {
    title: 'This link is not complete',
    text: 'A part of it was cut off, or something was added to it. Go back to the message that you got, copy the whole link, up to its last character, and open that. Nothing was used up.',
  },
  newLinkRequested: {
    title: 'The sender has been told',
    text: 'They know that somebody came too late and asks for a new one. If they create one, they send you its link.',
  },
  problems,
  refusals,
  cures,
  apiReference: {
    title: 'hushpush API',
    contents: 'Contents',
    lead: 'A push is a secret behind a link that expires after a number of views or days. Clients of Password Pusher’s version 1 API work unchanged. The description for programs is',
    examplePayload: 'a secret',
    parameter: 'Parameter',
    in: 'In',
    meaning: 'Meaning',
    field: 'Field',
    values: 'Values',
    status: 'Status',
    range: (min: number, max: number | undefined) => `${min} to ${max}`,
    list: 'list',
    number: 'number',
    text: 'text',
    needsToken: 'Needs an API token.',
    scopeSuffices: (scope: string) => `The scope “${scope}” suffices.`,
    scope: 'Scope',
    scopes: tokenScopes,
    scopesLead:
      'A token may have an end, and a scope. What it may not do is answered with 403, even where no token is needed.',
    exampleResponse: 'Example of a response',
    objects: 'Objects',
    signIn: 'Sign in with an API token',
    signInLead:
      'Anybody may create, retrieve and preview pushes, unless the operator requires an account. Lists, audit logs, webhooks and files need an API token, which you get on the page',
    tokensPage: 'API tokens',
    signInPair:
      'Older clients send the token as X-User-Token beside X-User-Email. A token that is wrong is refused everywhere, even where none is needed.',
    forms: 'Bodies may be JSON, or forms; files need a multipart form:',
    errors: 'Errors',
    errorsLead:
      'Every error is JSON with an error in one sentence. Validation names every problem, in errors and by field. A message says what to do about it, in the language in front of the path, such as /de/p.json; the rest is always English. Lists have 50 entries a page, and a Link header that leads to the next one.',
    limits: 'Limits and request ids',
    limitsLead:
      'Each response says which limits the request counts against (q requests in w seconds) and how many are left (r). After too many, Retry-After says in how many seconds to try again. Name the X-Request-Id when you report a problem: the log has it too.',
    events: 'Webhooks',
    eventsLead:
      'A webhook receives the events of your pushes, never a link or a secret: url_token_sha256 says which push it is about. Respond with 2xx within ten seconds. Everything else is sent again for three days, with the same webhook-id. The types of events are:',
    eventsVerify: 'Verify each request with the secret of the webhook, here in JavaScript:',
  },
  errorPage: {
    title: 'That did not work',
    tryAgain: 'Try again',
    reloads: 'You can leave this page open: it reloads by itself.',
    tooMany: 'Too many requests',
    tooManyText: (seconds: number) =>
      `You can go on ${inTime(seconds * 1000)}. Nothing was created or used up.`,
    otherSite: 'This form was sent from another site.',
    stale:
      'This form is out of date, and nothing was done. Go back: what you entered is still there. Copy it, reload the page, and send it again.',
    ended: 'Your session has ended, and nothing was done. Sign in, and try again.',
    unavailable: 'Back in a moment',
    nothingUsed: 'Nothing was created or used up.',
    failure: 'Something went wrong on our side',
    failureText: 'It is not your fault. Try again. If it happens again, tell whoever runs this server.',
    requestNumber: (id: string) => `The number of this request in the log is ${id}.`,
    notFound: {
      title: 'This page does not exist',
      text: 'The address may be mistyped, or what was here is gone.',
    },
  },
  /** The pages about the server, for everybody. A section is a title and its paragraphs. */
  privacy: {
    title: 'Privacy',
    lead: 'What this server stores, for how long, and who gets to see it.',
    sections: ({ retention, grace, connect, showsPlaces }: PrivacyFacts) => [
      {
        title: 'Secrets',
        texts: [
          'Secrets, their files, and the names and notes of links are encrypted before they are stored. A secret is erased with its last view, when its time is over, or when somebody who may do so deletes it.',
        ],
      },
      {
        title: 'What happens to a link',
        texts: [
          'For each link the server records when it was created, opened, or tried in vain: with the network address, the browser, and the page that led there. Whoever created the link with an account can read that record.',
          ...(showsPlaces
            ? [
                'Next to an address, this server shows roughly where it is. It looks that up in a database of its own when the record is read, stores nothing of it, and passes no address on.',
              ]
            : []),
          `The record is deleted ${retention} after the end of the link, or one day after it if the link belongs to no account.`,
          'To stop guessing and floods, requests are counted by network address, for a day at most. The log of the server contains no secrets, no links and no addresses.',
        ],
      },
      {
        title: 'Accounts',
        texts: [
          'An account has an e-mail address, a hash of its password, a language, and what its owner sets up: API tokens, webhooks, notifications. The browsers that are signed in are listed with their network address.',
          'What an admin does to the account of somebody else is recorded for 400 days, with the address of the admin.',
        ],
      },
      {
        title: 'Chats',
        texts: [
          'In a chat, people are known by the ids that the chat gives to them and to their workspace, by their language, and, once they have connected a browser, by their name. To whom a link was sent, and which messages tell of it, is stored by such ids.',
          'hushpush reads a message only if somebody makes a link of it. What you type into a form in the chat passes through the servers of the chat; the form in the browser avoids that.',
        ],
      },
      {
        title: 'Who gets it',
        texts: [
          'Nobody else. The chats get the messages that you see in them, and webhooks what the owner of a link has asked for; neither ever contains a secret. Admins of a workspace can export who created, opened and deleted the links of that workspace, and when. There are no advertisements and no trackers, nothing is sold, and nothing is used to train models.',
        ],
      },
      {
        title: 'Cookies',
        texts: [
          'They sign you in, protect forms, and remember your language, the appearance, and for an hour which secrets this browser has opened. None of them follows you to other sites.',
        ],
      },
      {
        title: 'Deletion',
        texts: [
          `You can delete a link at any time. Deleting your account, on the page “Account”, erases at once everything that belongs to it. From a chat you get there with ${connect.slack} in Slack or Mattermost, or ${connect.discord} in Discord.`,
          `When a workspace removes the Slack app, its tokens are deleted at once; ${grace} later the accounts, links, requests and rules of the workspace are erased, unless it has installed the app again. When a server removes the Discord bot, the rules of the server are erased.`,
        ],
      },
    ],
  },
  support: {
    title: 'Support',
    lead: 'Who helps with hushpush on this server, and what to do until then.',
    sections: [
      {
        title: 'A secret does not open',
        texts: [
          'Ask whoever sent it for a new one. What is erased cannot be brought back, not even by those who run the server.',
        ],
      },
      {
        title: 'Chats',
        texts: [
          'Write /push help in Slack or Mattermost, or /pushes help in Discord, to see all that you can do. Admins set the rules for everybody in the settings there.',
          'If our messages do not reach somebody, their privacy settings in the chat do not let us write to them.',
        ],
      },
      {
        title: 'Something else fails',
        texts: [
          'Say what you did, when, and what you saw. A program finds the id of its request in the header X-Request-Id. Never send anybody a secret, its link or an API token.',
        ],
      },
      {
        title: 'A weakness in security',
        texts: ['Please report it in private, and give us time to fix it before you tell others.'],
      },
    ],
  },
  contact: {
    title: 'Contact',
    runBy: (name: string) => `${name} runs this server.`,
    write: 'Write to',
    unknown: 'Ask whoever gave you the address of this server.',
  },
  /** The texts in chats. */
  chat: {
    units: {
      views,
      minutes: (minutes: number) => formats.amount(minutes, 'minute'),
      hours: (hours: number) => formats.amount(hours, 'hour'),
      days: (days: number) => formats.amount(days, 'day'),
    },
    push: {
      untitled: 'Your link',
      /** A link without a name: whom it is for, if known, and when. */
      unnamed: <Part>(to: Part | undefined, created: Part) => [
        'Your link',
        ...(to === undefined ? [] : [' for ', to]),
        ' (',
        created,
        ')',
      ],
      unreadable: 'A link that cannot be decrypted, because its key is missing',
      /** The same in plain text, in a list to choose from. */
      label: (to: string | undefined, ago: string) =>
        to === undefined ? `Created ${ago}` : `For ${to}, ${ago}`,
      ready: <Part>(title: Part, link?: Part) => [
        title,
        ...(link === undefined ? [' is ready.'] : [' is ready: ', link]),
      ],
      opens: <Part>(left: number, isOpened: boolean, until: Part) => [
        `It opens ${isOpened ? more(left) : times(left)}, until `,
        until,
        '.',
      ],
      sentTo: <Part>(people: Part, number: number) => [
        people,
        number === 1 ? ' gets a direct message with the link.' : ' get a direct message with the link.',
      ],
      tellKey: 'It is encrypted: the whole link, with its key, is only on the page where you created it.',
      tellPassphrase: 'Tell them the passphrase some other way, such as by phone.',
      received: <Part>(sender: Part) => [sender, ' sent you a secret.'],
      /** The same in a reminder to who has not opened it. */
      reminded: <Part>(sender: Part) => [
        'Reminder: ',
        sender,
        ' sent you a secret, and you have not opened it yet.',
      ],
      remindedFromSomebody: 'Reminder: you have received a secret, and you have not opened it yet.',
      /** To the sender who has reminded some recipients. */
      nudged: <Part>(people: Part, number: number) => [
        people,
        number === 1 ? ' gets a reminder.' : ' get a reminder.',
      ],
      /** To the same, about recipients who get none now. */
      nudgedLately: <Part>(people: Part) => [
        'You reminded ',
        people,
        ' less than an hour ago. You can remind each person once an hour, whichever link it is about.',
      ],
      whenToRemind: 'When do you want to be reminded of this secret?',
      reminderSet: <Part>(at: Part) => ['You get a reminder on ', at, ', unless you have opened it by then.'],
      boundLink: 'Here is your link. It works once, within two minutes.',
      /** For everybody in a channel. */
      sharedInChannel: <Part>(sender: Part) => [sender, ' shares a secret with this channel.'],
      onceEach: <Part>(until: Part) => ['Each member can open it once, until ', until, '.'],
      notInChannel: 'It cannot be shared here. Create a link in a channel, and share it from there.',
      sharedHere: 'Shared with this channel. Each member can open it once.',
      receivedFromSomebody: 'You have received a secret.',
      receivedOpens: <Part>(left: number, isOpened: boolean, until: Part) => [
        `It opens ${isOpened ? more(left) : times(left)}, until `,
        until,
        '.',
      ],
      keyFollows: 'It is encrypted: the sender tells you the key some other way.',
      passphraseFollows: 'It asks for a passphrase, which the sender tells you some other way.',
      /** What a recipient reads once they can no longer open it. */
      receivedEnds: {
        opened: 'It has been opened, and the link no longer works.',
        /** Where nobody else can have. */
        openedByYou: 'You have opened it. It does not open again.',
        expired: 'It has expired.',
        expiredUnread: 'It expired before you opened it.',
        withdrawn: 'The sender has withdrawn it.',
        deleted: 'Somebody with the link deleted it.',
      },
      ends: {
        opened: <Part>(title: Part, used: number) => [
          title,
          ` was opened${used === 1 ? '' : ` ${times(used)}`}. That was the last view.`,
        ],
        expired: <Part>(title: Part, used: number) => [title, ' has expired. ', beforeEnd(used)],
        deleted: <Part>(title: Part, used: number) => [title, ' was burned. ', beforeEnd(used)],
      },
      notOpened: <Part>(title: Part, link?: Part) => [
        title,
        ...(link === undefined ? [' has not been opened yet.'] : [' has not been opened yet: ', link]),
      ],
      opened: <Part>(title: Part, used: number, max: number, link?: Part) => [
        title,
        ` was opened ${used} of ${count(max, { one: '# time', other: '# times' })}`,
        ...(link === undefined ? ['.'] : [': ', link]),
      ],
      /** Which recipients have opened a push, and which have not. */
      openedBy: <Part>(opened: Part, waiting: Part | undefined) => [
        'Opened by ',
        opened,
        ...(waiting === undefined ? [] : ['. Not yet by ', waiting]),
        '.',
      ],
      /** The same of a push that has ended. */
      wasOpenedBy: <Part>(opened: Part, others: Part | undefined) => [
        'Opened by ',
        opened,
        ...(others === undefined ? [] : [', not by ', others]),
        '.',
      ],
      extended: (by: string) => `It stays available ${by} longer.`,
      notExtended: 'It may not stay available any longer.',
      unreachable: <Part>(person: Part) => [
        'Our messages do not reach ',
        person,
        '. Hand this over some other way:',
      ],
      /** The same where only they can open the push, from a message that does not reach them. */
      unreachableBound: <Part>(person: Part) => [
        'Our messages do not reach ',
        person,
        ', so they cannot open it. Create a link without recipients, and send it to them.',
      ],
      handedOver: (left: number, link: string) => `A secret for you. It opens ${times(left)}: ${link}`,
    },
    /** What has happened to a push, each a sentence that stands alone in a notification. */
    events: {
      viewed: <Part>(title: Part, { views, used, max }: EventViews, at: Part, by?: Part) => [
        title,
        ` was opened${views === 1 ? '' : ` ${times(views)}`}`,
        ...(by === undefined ? [] : [' by ', by]),
        views === 1 ? ' on ' : ', the last time on ',
        at,
        used >= max ? '. That was the last view.' : `. It opens ${more(max - used)}.`,
      ],
      /** Where the owner is not notified of views. */
      lastView: <Part>(title: Part, used: number, at: Part, by?: Part) => [
        title,
        ' was opened for the last time',
        ...(by === undefined ? [] : [' by ', by]),
        ' on ',
        at,
        used === 1 ? '.' : `. It was opened ${times(used)}.`,
      ],
      expired: <Part>(title: Part, used: number, at: Part) => [
        title,
        ' expired on ',
        at,
        `. ${beforeEnd(used)}`,
      ],
      burned: <Part>(title: Part, used: number, at: Part) => [
        title,
        ' was burned on ',
        at,
        `. ${beforeEnd(used)}`,
      ],
      deleted: <Part>(title: Part, used: number, at: Part) => [
        title,
        ' was deleted on ',
        at,
        `, by somebody who has the link. ${beforeEnd(used)}`,
      ],
      failedPassphrase: <Part>(title: Part, tries: number, at: Part) => [
        title,
        tries === 1
          ? ' was not opened: somebody entered a wrong passphrase on '
          : ` was not opened: somebody entered ${tries} wrong passphrases, the last one on `,
        at,
        '.',
      ],
      locked: <Part>(title: Part, at: Part) => [
        title,
        ' was locked for a while on ',
        at,
        ', after too many wrong passphrases.',
      ],
      aboutToExpire: <Part>(title: Part, until: Part) => [
        title,
        ' expires on ',
        until,
        ', and nobody has opened it yet.',
      ],
      askedAgain: <Part>(title: Part, at: Part) => [
        title,
        ' has ended, but somebody asked for it again on ',
        at,
        '.',
      ],
    },
    audit: {
      summary: <Part>(title: Part) => ['What has happened to ', title],
      used: <Part>(title: Part, used: number, max: number) => [title, `: ${used} of ${views(max)} used.`],
      entry: <Part>(at: Part, what: string, from: string) => [
        at,
        ` ${what}${from === '' ? '' : ` from ${from}`}`,
      ],
      notShown: (entries: number) =>
        count(entries, { one: '# earlier entry not shown.', other: '# earlier entries not shown.' }),
      kinds: {
        creation: 'created',
        view: 'opened',
        download: 'a file was downloaded',
        failed_view: 'somebody came too late',
        failed_passphrase: 'wrong passphrase',
        expire: 'burned',
        preview: 'page loaded without using a view',
        edit: 'extended',
        asked_again: 'asked for again',
      },
    },
    lists: {
      active: <Part>(title: Part, used: number, max: number, until: Part, link?: Part) => [
        title,
        ` · ${used} of ${views(max)} · until `,
        until,
        ...(link === undefined ? [] : [' · ', link]),
      ],
      link: 'link',
      expired: <Part>(title: Part, used: number) => [
        title,
        ` · ${used === 0 ? 'never opened' : `opened ${times(used)}`}`,
      ],
      request: <Part>(provider: Part, created: Part, due: Part) => [
        'Waiting for ',
        provider,
        ' until ',
        due,
        ', asked on ',
        created,
        '.',
      ],
      requestLabel: (ago: string) => `Request, asked ${ago}`,
      count: (pushes: number) =>
        `You have ${count(pushes, { one: '# active link', other: '# active links' })}.`,
      /** Above one of several pages, or above the results of a search. */
      page: <Part>(page: number, query: Part | '') => [
        ...(query === '' ? ['Your active links'] : ['Your active links that match ', query]),
        page === 1 ? ', the newest first.' : `, page ${page}.`,
      ],
      older: 'Older',
      newer: 'Newer',
      noResults: <Part>(query: Part) => ['None of your active links matches ', query, '.'],
      empty: <Part>(command: Part) => ['You have no active link. ', command, ' creates one.'],
      choose: 'Which link?',
      noMatch: <Part>(name: Part) => ['You have no link called ', name, '.'],
      home: {
        active: 'Active links',
        requests: 'Secrets you asked for',
        expired: 'Expired links',
        none: 'None.',
      },
    },
    requests: {
      received: <Part>(requester: Part) => [requester, ' asks you for a secret.'],
      /** The same in a reminder to who has not answered. */
      reminded: <Part>(requester: Part) => ['Reminder: ', requester, ' still waits for a secret from you.'],
      answerBy: <Part>(due: Part) => ['Please answer by ', due, '.'],
      sent: <Part>(providers: Part, number: number) => [
        providers,
        number === 1
          ? ' gets a direct message that asks for the secret. You will be notified of the answer.'
          : ' get a direct message that asks for the secret. You will be notified of each answer.',
      ],
      waitsUntil: <Part>(due: Part) => ['Your request waits until ', due, '.'],
      provided: <Part>(requester: Part) => ['You sent ', requester, ' the secret.'],
      declined: <Part>(requester: Part) => ['You declined to send ', requester, ' a secret.'],
      wasDeclined: <Part>(provider: Part) => [provider, ' declined to send you the secret.'],
      cancelled: <Part>(providers: Part) => ['You no longer ask ', providers, ' for a secret.'],
      wasCancelled: <Part>(requester: Part) => [requester, ' no longer asks you for a secret.'],
      undelivered: <Part>(provider: Part) => [
        'Our messages do not reach ',
        provider,
        ', so your request to them has ended. Ask for the secret some other way.',
      ],
      expired: <Part>(providers: Part) => [
        providers,
        ' did not answer your request for a secret in time. It has expired, and you can ask again.',
      ],
      wasExpired: <Part>(requester: Part) => [requester, '’s request for a secret has expired.'],
      /**
       * A due time that somebody types before or after the reason, in small letters: “within 2 days”. The English words work
       * in every language.
       */
      dueWords: {
        within: ['within'],
        one: ['a', 'an', 'one'],
        minutes: ['minute', 'minutes'],
        hours: ['hour', 'hours'],
        days: ['day', 'days'],
        weeks: ['week', 'weeks'],
      },
    },
    buttons: {
      burn: 'Burn now',
      audit: 'Activity',
      extend: (by: string) => `Extend by ${by}`,
      cancel: 'Cancel',
      share: 'Send to…',
      shareInChannel: 'Share in this channel',
      nudge: 'Send a reminder',
      remindLater: 'Remind me later',
      remindIn: { hour: 'In an hour', day: 'In 24 hours', morning: 'Tomorrow at 9:00' },
      open: 'Open',
      newPush: 'New link',
      newRequest: 'Ask for a secret',
      allPushes: 'All links',
      settings: 'Settings',
      mySettings: 'My settings',
      /** Each chat has a word of its own for a group of people with rules. */
      rules: { slack: 'Workspace rules', discord: 'Server rules', mattermost: 'Team rules' },
      exportActivity: 'Export activity',
      download: 'Download',
      provide: 'Provide secret',
      decline: 'Decline',
      connect: 'Connect',
      confirmLink: 'Enter the code',
      rejectLink: 'It was not me',
      refill: 'Fill it in again',
      more: 'More options',
    },
    confirmBurn: {
      title: 'Burn this link?',
      text: 'Nobody will be able to open it any more.',
      yes: 'Burn it',
      no: 'Keep it',
    },
    hints: {
      slashText: <Part>(command: Part) => [
        'Text typed after a command passes through the chat’s servers. Next time use the form: ',
        command,
        ' alone.',
      ],
      original: 'The message itself still holds the secret. Ask its author to delete it.',
      unreached:
        'Our direct messages do not reach you, so you may have missed some. Your privacy settings decide who may write to you.',
      subword: <Part>(word: Part, command: Part) => [
        'A secret that begins with ',
        word,
        ' goes through the form: ',
        command,
        ' alone.',
      ],
    },
    help: {
      summary: 'How to hand over a secret.',
      form: <Part>(command: Part) => [
        command,
        ' opens a form: the secret, who gets it, how often and how long it opens.',
      ],
      text: <Part>(command: Part) => [command, ' makes a link to that text at once.'],
      messageMenu: <Part>(entry: Part) => ['In the menu of a message, ', entry, ' makes a link to its text.'],
      personMenu: <Part>(send: Part, request: Part) => [
        'In the menu of a person, ',
        send,
        ' sends them one, and ',
        request,
        ' asks them for one.',
      ],
      list: <Part>(command: Part) => [command, ' shows your links.'],
      expire: <Part>(expire: Part, audit: Part) => [
        expire,
        ' burns a link, and ',
        audit,
        ' shows what has happened to it.',
      ],
      request: <Part>(command: Part) => [command, ' asks one or several people for a secret.'],
      settings: <Part>(settings: Part, connect: Part) => [
        settings,
        ' changes your defaults, and ',
        connect,
        ' signs you in on the web.',
      ],
      subwords: 'A secret that begins with one of these words goes through the form.',
      /** What might be typed after the command. */
      sampleText: 'some text',
    },
    connect: {
      summary: 'Connect your browser.',
      text: 'This opens your dashboard in the browser. The link works once, within ten minutes. You confirm it here with a code that the browser shows.',
    },
    modals: {
      cancel: 'Cancel',
      close: 'Close',
      done: 'Done',
      sorry: 'Sorry',
      loading: 'One moment …',
      choose: 'Choose one …',
    },
    /** Discord shows these while somebody picks a command. */
    commands: {
      push: 'Hand over a secret through a link that expires',
      recipient: 'Who gets it, by direct message',
      views: 'How often it opens',
      expires: 'How long it opens',
      name: 'What you call it; only you see that',
      pushes: 'Your links, requests and settings',
      list: 'Show your links, or search them',
      search: 'A part of a name, a note or a link',
      expire: 'End a link now',
      audit: 'Show what has happened to a link',
      whichPush: 'Which link',
      request: 'Ask people for a secret',
      provider: 'Whom you ask; without, a form asks for one or several people',
      due: 'How long the request waits for an answer',
      reason: 'What for; they read this',
      connect: 'Sign in on the web',
      settings: 'Change the defaults of your links',
      help: 'Show how to hand over a secret',
      pushMessage: 'Share securely',
      sendTo: 'Send a secret',
      requestFrom: 'Request a secret',
    },
    /**
     * What people type after a command, and the names of Discord's options: one word in small letters. The English ones
     * work in every language.
     */
    commandNames: {
      list: 'list',
      expire: 'expire',
      audit: 'audit',
      request: 'request',
      connect: 'connect',
      settings: 'settings',
      help: 'help',
      recipient: 'recipient',
      views: 'views',
      expires: 'expires',
      name: 'name',
      push: 'push',
      user: 'user',
      search: 'search',
      reason: 'reason',
      due: 'due',
    },
    installation: {
      done: 'hushpush is installed',
      next: 'Go back to Slack and type /push to hand over a secret.',
      failed: 'hushpush was not installed',
      cancelled: 'Nothing was changed.',
      expired:
        'This page works once, in the browser that began, within ten minutes. Begin again at /slack/install.',
      unavailable: 'Our database is out of reach. Please begin again.',
    },
    moreOptions: 'Nothing has been created yet. A second form asks for the rest.',
    whoseSettings: 'Which settings do you want to change?',
    activityExport:
      'This downloads the activity of all links from here as a table, without secrets and without names. The link works once, within ten minutes. Whoever has it can use it.',
    saved: 'The settings are saved.',
    alreadyDone: 'This was done already.',
    tryAgain: 'Our database is out of reach. Nothing was created. Please try again.',
    internalError: 'Something went wrong on our side. Please try again.',
    inDirectMessages: 'The answer is in your direct messages.',
    tooSlow: 'That takes too long just now. Nothing was created. Please try again.',
    notFound: 'That no longer exists, or it belongs to somebody else.',
    lostDraft: 'What you entered is no longer saved. Please start again.',
    nothingToPush: 'That message has neither text nor files.',
    fileUnreadable: <Part>(name: Part) => [
      'Slack does not let us read ',
      name,
      ', so nothing was created. Attach the file yourself, or use the form in the browser.',
    ],
    groupUnreadable:
      'Slack does not tell us who is in that group, so nothing was done. Choose the people yourself.',
    fetchingFiles: 'Your files are being fetched …',
    textNotAllowed: <Part>(command: Part) => [
      'Here, secrets are not typed after the command. Use the form: ',
      command,
      ' alone.',
    ],
    didYouMean: <Part>(typed: Part, command: Part, form: Part) => [
      'Did you mean ',
      command,
      '? Nothing was created. To share the word ',
      typed,
      ', use the form: ',
      form,
      ' alone.',
    ],
    notInstalled: <Part>(link: Part | undefined) => [
      'hushpush is not installed in this workspace, or Slack no longer lets it in. Whoever manages the apps can install it',
      ...(link === undefined ? [] : [': ', link]),
      '.',
    ],
    formFailed: 'The form could not be opened, and nothing was created. Try again with this button.',
    /** For whoever has just installed the app, and for those who have done nothing yet. */
    welcome: {
      installed: 'hushpush is ready in this workspace. Three things to try:',
      home: 'Welcome',
      lead: 'Your links and requests will be listed here. Three things to try:',
      messageMenu: <Part>(entry: Part) => ['In the menu of a message, ', entry, ' makes a link to its text.'],
      rules: <Part>(command: Part) => [command, ' sets the rules for everybody in this workspace.'],
    },
    /** A list of people in a sentence. */
    people: <Part>(people: Part[]) =>
      people.flatMap((person, at) => {
        const before = at === 0 ? '' : at === people.length - 1 ? ' and ' : ', ';
        return [before, person];
      }),
    /** Ends a list of people that is too long. */
    morePeople: (number: number) => count(number, { one: '# other', other: '# others' }),
    /** The names of form fields within a sentence. */
    fields: {
      payload: 'The secret',
      recipients: 'Recipients',
      expireAfterViews: 'Views',
      expireAfterDays: 'Days',
      maxViews: 'The most views of a link',
      maxDays: 'The longest life of a link',
      passphrase: 'The passphrase',
      name: 'The name',
      note: 'The note',
      reason: 'The reason',
      code: 'The code',
    },
    fieldProblem: (field: string, problem: string) => `${field} ${problem}.`,
    links: {
      requestedSummary: 'A browser wants to connect you to an account.',
      requested: <Part>(account: Part) => [
        'A browser wants to connect you to the account ',
        account,
        '. You would share it: whoever signs in to it sees, extends and burns the links that you create here, and so do you with all of its links.',
      ],
      signInSummary: 'A browser wants to sign in as you.',
      signInRequested:
        'A browser wants to sign in as you. It would see and burn all your links, and create new ones.',
      onlyYou:
        'Did you just press the button in that browser yourself? It shows a code of six digits, for ten minutes. Never type a code that somebody sent you.',
      confirmed: <Part>(account: Part) => [
        'You are connected to the account ',
        account,
        '. The links that you create here belong to it from now on.',
      ],
      signedIn: 'Your browser is being signed in.',
      rejected: 'Nothing was connected.',
      acts: {
        byAdmin: (email: string) => `The admin ${email} did this to your account`,
        byOperator: 'Whoever runs this server did this to your account',
        kinds: {
          reset_link: 'a link was created that sets a new password',
          invitation: 'a link was created that sets the first password',
          password_set: 'a new password was set, and all browsers were signed out',
          disabled: 'it was disabled',
          enabled: 'it was enabled again',
          promoted: 'it may manage other accounts now',
          demoted: 'it may no longer manage other accounts',
          subscribed: 'it may attach files now',
          unsubscribed: 'it may no longer attach files',
          token_created: 'an API token was created that acts for it',
          token_replaced: 'an API token was replaced; the one before still works for a while at most',
          token_revoked: 'an API token was revoked',
          factors_removed: 'its second factors were removed, and all browsers were signed out',
          rule_created: 'a trust rule was created, by which programs elsewhere act for it',
          rule_removed: 'a trust rule was removed',
          deleted: 'it was deleted with everything in it',
        },
        line: <Part>(by: string, account: Part, what: string) => [`${by} `, account, `: ${what}.`],
        unexpected: 'If you do not know why, ask whoever runs this server.',
      },
      linked: <Part>(name: string, account: Part) => [
        `${name} was just connected to the account `,
        account,
        ', and shares all its links from now on. If you do not know why, disconnect them under “Connected chats” in that account.',
      ],
    },
    forms: {
      confirmLink: {
        title: 'Connect your browser',
        submit: 'Connect',
        code: 'Code',
        codeHint: 'The six digits that your browser shows',
      },
      push: {
        title: 'New link',
        titleOfRequest: 'Provide a secret',
        submit: 'Create',
        payload: 'Secret',
        files: 'Files',
        filesHint: 'They pass through the chat, which may keep a copy',
        filesAgain: 'Files: please attach them again',
        recipients: 'Recipients',
        recipientsHint: 'Who gets it, by direct message',
        groups: 'User groups',
        groupsHint: 'Each member gets it',
        views: 'Views',
        lifetime: 'Expires after',
        /** Where no number is chosen. */
        viewsByDefault: (forOne: string, usual: string) =>
          `Default (${forOne} for each recipient, else ${usual})`,
        /** Beside a limit that replaces what was chosen before. */
        lowered: (max: string) => `You chose more than is allowed here, which is at most ${max}.`,
        more: 'More options',
        /** In a menu. */
        moreOptions: {
          expireAfterViews: 'Set the number of views',
          passphrase: 'Protect it with a passphrase',
          name: 'Give it a name',
          note: 'Add a note for yourself',
          rights: 'Choose who may open and delete it',
          notify: 'Choose your notifications',
        },
        passphrase: 'Passphrase',
        passphraseHint: 'Tell them some other way',
        passphraseKept: 'As entered before; type here to change it',
        name: 'Name',
        note: 'Note',
        privateHint: 'Only you see it',
        rights: 'Opening and deletion',
        bound: 'Only recipients themselves open it, not whoever gets the link',
        deletable: 'The recipient may delete it, if there is only one',
        notices: 'Notify me when',
        compose: 'Compose in browser',
        onlyRequester: 'Only the person who asked for it gets it.',
        messageFiles: 'Files of that message',
        messageFilesRefused: 'You may not attach files here, so those of that message do not come along.',
        messageFilesHint: 'The files of that message do not come along. Attach them yourself.',
        textOfMessage: (length: number) => `The text of that message, ${length} characters.`,
        enteredBefore: 'What you entered before.',
      },
      request: {
        title: 'Ask for a secret',
        submit: 'Ask',
        providers: 'Who should send it?',
        providersHint: 'Each gets a direct message',
        due: 'Answer needed within',
        reason: 'What for?',
        reasonHint: 'They read this',
      },
      share: {
        title: 'Send the link',
        submit: 'Send',
        recipients: 'Who gets it?',
        recipientsHint: 'They get a direct message',
      },
      settings: {
        title: 'Settings',
        submit: 'Save',
        views: 'My links open',
        lifetime: 'My links expire after',
        viewed: 'Notify me of views',
        notices: 'Notify me when',
        timeZone: 'My time zone, for reminders',
        noTimeZone: 'Not set',
      },
      rules: {
        title: {
          slack: 'Workspace rules',
          discord: 'Rules for everybody on this server',
          mattermost: 'Rules of this team',
        },
        heading: 'For everybody in this workspace',
        submit: 'Save',
        views: 'Links open',
        lifetime: 'Links expire after',
        maxViews: 'Most views of a link',
        maxLifetime: 'Longest life of a link',
        rules: 'Rules',
        requireRecipients: 'Every link needs recipients',
        requireBound: 'Only recipients themselves can open what is sent to them',
        onlyMembersReceive: 'Guests and people from outside may not receive secrets',
        onlyMembersPush: 'Guests and people from outside may not share secrets',
        onlyAdminsPush: 'Only admins may share secrets',
        allowSlashText: 'Secrets may be typed after the command',
      },
      /** A choice that follows the workspace or the service, with the number that it means now. */
      byDefault: (amount: string) => `Default (${amount})`,
      noLimit: (amount: string) => `No own limit (${amount})`,
    },
    notices: {
      ofOnePush: {
        viewed: { first: 'It is first viewed', every: 'It is viewed' },
        expired: 'It expires',
        failedPassphrase: 'Somebody enters a wrong passphrase',
        reminder: 'It is about to expire unread',
        askedAgain: 'Somebody asks for it when it is over',
      },
      ofAllPushes: {
        viewed: { every: 'Every view', first: 'The first view', none: 'Never' },
        expired: 'A link expires',
        failedPassphrase: 'Somebody enters a wrong passphrase',
        reminder: 'A link is about to expire unread',
        askedAgain: 'Somebody asks for a link that is over',
      },
    },
  },
};

/** What a language file must bring: every key of the English one. */
export type Messages = typeof en;
