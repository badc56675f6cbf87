import type { Discord } from '../../../tools/standins/discord/discord.ts';
import type { Burnable, PushEntries } from '../staging.ts';

/** What Alice does in Discord. */
export function aliceIn(discord: Discord, secret: string) {
  const alice = discord.user('alice');
  const people = (names: string[]) => names.map((name) => discord.user(name));

  return {
    /** Fills in the form of a push, by default one called “VPN”, and reads the answer. */
    async pushes({ name = 'VPN', to = [], views, passphrase }: PushEntries = {}) {
      const form = await alice
        .runs('/push', { name, expires: '7 days', ...(views !== undefined && { views }) })
        .modal();
      form.fill({ Secret: secret });
      if (to.length > 0) form.fill({ Recipients: people(to) });
      if (passphrase !== undefined) form.fill({ Passphrase: passphrase });
      return form.submit().message();
    },
    async burns(answer: Burnable) {
      await answer.press('Burn now');
      await answer.becomes(/Burn this link\?/);
      await answer.press('Burn it');
    },
    /** Reminds the recipients of her push “VPN” from her list, and reads the answer. */
    async nudges() {
      const list = await alice.runs('/pushes list').message();
      const status = await list.choose('VPN', { at: 'Choose one …' }).message();
      return (await status.press('Send a reminder').message()).text;
    },
    /** Asks some people in a form, with two days for an answer, and reads the answer. */
    async asks(names: string[], reason = 'the VPN') {
      const form = await alice.runs('/pushes request', { reason }).modal();
      form.fill({ 'Who should send it?': people(names), 'Answer needed within': '2 days' });
      return form.submit().message();
    },
    /** Creates a request link, in one line or by a form, and reads the answer. */
    async asksByLink(title: string, entries?: Record<string, string>) {
      if (entries === undefined) return alice.runs('/pushes request-link', { reason: title }).message();
      const form = await alice.runs('/pushes request-link').modal();
      return form
        .fill({ 'What do you ask for?': title, ...entries })
        .submit()
        .message();
    },
    /** Fills in the form of a request link, which is refused, and reads why. */
    async refusesLink(title: string, entries: Record<string, string>) {
      const form = await alice.runs('/pushes request-link').modal();
      const refusal = form.fill({ 'What do you ask for?': title, ...entries }).submit();
      return (await refusal.message()).text;
    },
  };
}
