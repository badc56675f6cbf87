import type { Slack } from '../../../tools/standins/slack/slack.ts';
import type { Burnable, PushEntries } from '../staging.ts';

/** What Alice does in Slack. */
export function aliceIn(slack: Slack, secret: string) {
  const alice = slack.user('alice');
  const people = (names: string[]) => names.map((name) => slack.user(name));

  return {
    /** Fills in the form of a push, by default one called “VPN”, and reads the answer. */
    async pushes({ name = 'VPN', to = [], views, passphrase }: PushEntries = {}) {
      const form = await alice.runs('/push').modal();
      await form.press('More options');
      await slack.until('more options', () => form.labels.includes('Name') || undefined);
      form.fill({ Secret: secret, Name: name });
      if (to.length > 0) form.fill({ Recipients: people(to) });
      if (views !== undefined) form.fill({ Views: `${views} views` });
      if (passphrase !== undefined) form.fill({ Passphrase: passphrase });
      return form.submit().message();
    },
    burns: async (answer: Burnable) => void (await answer.press('Burn now')),
    /** Reminds the recipients of her one push that has any from her list, and reads the answer. */
    async nudges() {
      const list = await alice.runs('/push list').message();
      const answer = await list.press('Send a reminder').modal();
      return (await answer.becomes(/remind|recipients/)).text;
    },
    /** Asks some people in a form, with two days for an answer, and reads the answer. */
    async asks(names: string[], reason = 'the VPN') {
      const form = await alice.runs(`/push request ${reason}`).modal();
      form.fill({ 'Who should send it?': people(names), 'Answer needed within': '2 days' });
      return form.submit().message();
    },
    /** Creates a request link, in one line or by a form, and reads the answer. */
    async asksByLink(title: string, entries?: Record<string, string>) {
      if (entries === undefined) return alice.runs(`/push request link ${title}`).message();
      const form = await alice.runs('/push request link').modal();
      return form
        .fill({ 'What do you ask for?': title, ...entries })
        .submit()
        .message();
    },
    /** Fills in the form of a request link, which is refused, and reads why. */
    async refusesLink(title: string, entries: Record<string, string>) {
      const form = await alice.runs('/push request link').modal();
      await form.fill({ 'What do you ask for?': title, ...entries }).submit();
      return Object.values(form.errors).join('\n');
    },
  };
}
