import { column, nullable, primaryKey, table } from '../../database/table.ts';

export const mailAddressesTable = table('mail_addresses', {
  id: primaryKey(column.bytes),
  address: column.text,
  /** The language of whoever entered it. */
  locale: nullable(column.text),
  refusedAt: nullable(column.integer),
  /** What the mail server said when it last refused a mail to it for good. */
  refusal: nullable(column.text),
  createdAt: column.integer,
});
