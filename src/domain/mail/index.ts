export {
  createMailAddresses,
  type MailAddresses,
  type MailRecipient,
  type MailRefusal,
  mailMessenger,
  mailRecipientOf,
  requireMailAddress,
} from './addresses.ts';
export { mailAddressesTable } from './tables.ts';
