export {
  createMailAddresses,
  type MailAddresses,
  type MailRefusal,
  mailMessenger,
  mailRecipientOf,
} from './addresses.ts';
export { mailAddressesTable } from './tables.ts';
