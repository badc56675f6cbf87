export { createMailAddresses, type MailAddresses, mailMessenger, mailRecipientOf } from './addresses.ts';
export { mailAddressesTable } from './tables.ts';
