import { expect } from 'chai';
import { startDiscord } from '../../tools/standins/discord/discord.ts';
import { environmentOf } from '../bots/discord/stage.ts';
import { openFolder } from '../harness/cli.ts';
import { freshDatabase } from '../harness/database.ts';
import { newSharedSettings } from '../harness/process.ts';

describe('discord register', () => {
  it('registers all commands with Discord, and prints the reason when it cannot', async () => {
    const [fresh, discord] = [await freshDatabase(), await startDiscord()];
    const shared = { ...newSharedSettings(fresh.url), RATE_LIMITS: 'off' };
    const folder = await openFolder({ ...shared, ...environmentOf(discord, 'gateway') });
    const off = await openFolder(shared);
    try {
      const printed = await folder.runAll([
        'migrate up',
        'admin discord register',
        'admin discord register --json',
      ]);
      expect(printed.get('admin discord register')).to.equal('Registered 5 commands.\n');
      expect(printed.get('admin discord register --json')).to.equal('{"commands":5}\n');
      expect(discord.calls('bulk_set_application_commands')).to.have.length(2);

      expect(await off.run('admin discord register')).to.include({ code: 1 });
      expect((await off.run('admin discord register')).stderr).to.match(/Discord is off/);
      discord.resetsToken();
      const refused = await folder.run('admin discord register');
      expect(refused).to.include({ code: 1 });
      expect(refused.stderr).to.equal('hushpush: Discord refuses DISCORD_TOKEN\n');
    } finally {
      await Promise.all([folder.remove(), off.remove(), discord.stop()]);
      await fresh.drop();
    }
    discord.verify();
  });
});
