export { createMailAddresses, mailMessenger } from './addresses.ts';
export { mailAddressesTable } from './tables.ts';
