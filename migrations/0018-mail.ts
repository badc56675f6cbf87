import type { Schema } from '../src/database/schema.ts';

/**
 * E-mail addresses that notices go to: a notice by mail has the id of one as its address, in hexadecimal. `locale` is the
 * language of whoever entered it, `refusal` what the mail server said when it last refused a mail to it for good. A notice by
 * mail has the account that it is for, or an event of its security log, as `subject_id`. `email_verified_at` is when an account
 * showed that it reads the mails to its address.
 */
export async function up({ createTable, addColumn }: Schema): Promise<void> {
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
  await addColumn('notices', 'subject_id', 'BINARY(16)');
  await addColumn('accounts', 'email_verified_at', 'BIGINT');
}

export async function down({ dropTable, sequelize }: Schema): Promise<void> {
  await sequelize.query("DELETE FROM recipients WHERE messenger = 'mail'");
  await sequelize.query("DELETE FROM notices WHERE messenger = 'mail'");
  await sequelize.query('ALTER TABLE accounts DROP COLUMN email_verified_at');
  await sequelize.query('ALTER TABLE notices DROP COLUMN subject_id');
  await dropTable('mail_addresses');
}
