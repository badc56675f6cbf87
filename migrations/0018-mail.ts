import type { Schema } from '../src/database/schema.ts';

/**
 * E-mail addresses that notices go to: a notice by mail has the id of one as its address, in hexadecimal. `locale` is the
 * language of whoever entered it, `refusal` what the mail server said when it last refused a mail to it for good.
 */
export async function up({ createTable }: Schema): Promise<void> {
  await createTable('mail_addresses', {
    columns: {
      id: 'BINARY(16) NOT NULL PRIMARY KEY',
      address: 'VARCHAR(254) NOT NULL',
      locale: 'VARCHAR(16)',
      refused_at: 'BIGINT',
      refusal: 'VARCHAR(200)',
      created_at: 'BIGINT NOT NULL',
    },
    indexes: { mail_addresses_by_created: 'created_at' },
  });
}

export async function down({ dropTable }: Schema): Promise<void> {
  await dropTable('mail_addresses');
}
