export {
  createMailAddresses,
  type MailAddresses,
  type MailRefusal,
  mailMessenger,
  mailRecipientOf,
} from './addresses.ts';
export { type MailOutcome, type MailState, mailStateOf, subjectEnded } from './mailState.ts';
export { mailAddressesTable } from './tables.ts';
