import { expect } from 'chai';
import { type DatabaseFolder, openDatabaseFolder } from '../harness/databaseFolder.ts';

describe('The identities of accounts on the command line', () => {
  let folder: DatabaseFolder;

  before(async () => {
    folder = await openDatabaseFolder({
      OIDC_OKTA_ISSUER: 'https://okta.example.com',
      OIDC_OKTA_CLIENT_ID: 'hushpush',
    });
    await folder.run('migrate up');
  });
  after(() => folder.remove());

  it('are listed by issuer and subject, also of a provider that is not set any more, and removed', async () => {
    const email = 'eve@example.com';
    await folder.run(`admin account create ${email}`);
    expect((await folder.run(`admin account identities ${email}`)).stdout).to.equal(
      'No identity provider signs in to the account.\n',
    );
    const [one, other] = [1, 2].map((n) => Buffer.alloc(16, n));
    await folder.withDatabase(async (database) => {
      for (const [id, issuer] of [
        [one, 'https://okta.example.com'],
        [other, 'https://gone.example.com'],
      ] as const)
        await database.execute(
          `INSERT INTO provider_identities (id, account_id, issuer, subject, email, created_at, last_used_at)
           SELECT $id, id, $issuer, '0042', NULL, 0, 1000 FROM accounts WHERE email = $email`,
          { id: id ?? Buffer.alloc(16), issuer, email },
        );
    });
    const rows = JSON.parse((await folder.run(`admin account identities ${email} --json`)).stdout);
    expect(rows).to.deep.equal(
      [
        [one, 'https://okta.example.com', 'Okta'],
        [other, 'https://gone.example.com', null],
      ].map(([id, issuer, provider]) => ({
        ...{ id: id?.toString('hex'), issuer, subject: '0042', email: null, provider },
        created_at: '1970-01-01T00:00:00.000Z',
        last_used_at: '1970-01-01T00:00:01.000Z',
      })),
    );
    const command = `admin account disconnect ${email}`;
    const refused = await folder.run(`${command} ${one?.toString('hex')}`);
    expect([refused.code, refused.stderr]).to.deep.equal([
      1,
      `hushpush: It no longer signs in to ${email}. If nothing else does, a link does so once: hushpush admin account reset ${email}. Add --yes to agree.\n`,
    ]);
    const removed = await folder.run(`${command} ${one?.toString('hex')} --yes --json`);
    expect(JSON.parse(removed.stdout)).to.deep.equal({
      ...{ email, identity: one?.toString('hex'), disconnected: true },
    });
    for (const wrong of [one?.toString('hex'), 'x'])
      expect((await folder.run(`${command} ${wrong} --yes`)).stderr, wrong).to.include('not connected');
    const left = JSON.parse((await folder.run(`admin account identities ${email} --json`)).stdout);
    expect(left).to.have.length(1);
    expect((await folder.run(`admin account log ${email}`)).stdout).to.match(/provider_removed +Okta/);
  });
});
