import { expect } from 'chai';
import { actions } from '../../../src/bots/actions.ts';
import type { Button } from '../../../src/bots/card.ts';
import { type FormSubmission, formIds } from '../../../src/bots/form.ts';
import { formPlans } from '../../../src/bots/interactions/openings.ts';
import { createPressPlans } from '../../../src/bots/interactions/presses.ts';
import { cardsOf } from '../../../src/bots/language.ts';
import type { ChatCaller } from '../../../src/domain/index.ts';
import { platforms } from '../../../src/platforms.ts';
import { chatCaller, newChatUser, setRules } from '../../harness/chat.ts';
import { refusal } from '../../harness/service.ts';
import { buttonsOf, commands, domain, linesOf, me, mine, newPush, secrets, useCommands } from './stage.ts';

const pushForm = (values: FormSubmission['values']): FormSubmission => ({
  id: formIds.push,
  values: { payload: secrets.payload, ...values },
  state: {},
});

describe('what the adapter of a chat cannot get wrong', () => {
  useCommands();

  it('a workspace that it leaves empty does nothing, rather than be bound by no rules', async () => {
    const nowhere = chatCaller(newChatUser(), { workspace: '', standing: 'admin' });
    const tries: ((caller: ChatCaller) => Promise<unknown>)[] = [
      (caller) => commands.createFromText(caller, secrets.payload),
      (caller) => commands.submit(caller, pushForm({})),
      (caller) => commands.submit(caller, { id: formIds.rules, values: {}, state: {} }),
      (caller) => commands.submit(caller, { id: formIds.settings, values: {}, state: { hasRules: true } }),
      (caller) => commands.exportActivity(caller),
      (caller) => commands.rules(caller),
      (caller) => commands.request(caller, [newChatUser().address], {}),
    ];
    for (const attempt of tries) {
      const error = await attempt(nowhere).then(
        () => expect.fail(`done in no workspace: ${attempt}`),
        (reason: unknown) => reason,
      );
      expect(String(error)).to.include('did not say in which workspace');
    }
    expect(await domain.chat.settings.ofWorkspace('slack', '')).to.include({ allowSlashText: true });
    expect(await domain.chat.identities.maybeAccount(nowhere.chatUser)).to.equal(undefined);
  });

  it('rules, their form and the activity of a workspace are for those who manage it', async () => {
    for (const standing of ['member', 'guest', 'stranger'] as const) {
      const caller = chatCaller(newChatUser(), { standing });
      const forms: FormSubmission[] = [
        { id: formIds.rules, values: { rules: ['onlyAdminsPush'] }, state: {} },
        { id: formIds.settings, values: { rules: ['onlyAdminsPush'] }, state: { hasRules: true } },
      ];
      for (const form of forms) expect(await refusal(commands.submit(caller, form))).to.match(/^forbidden/);
      expect(await refusal(commands.rules(caller))).to.match(/^forbidden/);
      expect(await refusal(commands.exportActivity(caller))).to.match(/^forbidden/);
      expect(await domain.chat.settings.ofCaller(caller)).to.not.have.property('onlyAdminsPush');
    }
  });

  it('a form that was refused can be corrected, and then creates one push, if its key stays the same', async () => {
    const caller = { ...me, idempotencyKey: 'the id of a form' };
    for (const values of [{ expireAfterViews: '1000' }, { recipients: ['*'] }, { payload: undefined }])
      expect(await refusal(commands.submit(caller, pushForm(values)))).to.match(/^invalid/);
    await commands.submit(caller, pushForm({}));
    expect(await refusal(commands.submit(caller, pushForm({})))).to.match(/^conflict/);
    expect(await mine()).to.have.length(1);
  });

  it('recipients and people who are asked are addresses of their chat, not texts that a client made up', async () => {
    const { id } = await newPush({ expireAfterViews: 5 });
    for (const address of ['', '*', '@bob', 'T1', 'T1:', ':U1', 'T1:bob', 'T1:U1 ', '123456789012345678']) {
      const wrong = /^invalid: (recipients|providers) must be/;
      expect(await refusal(commands.submit(me, pushForm({ recipients: [address] }))), address).to.match(
        wrong,
      );
      expect(await refusal(commands.share(me, id, [address])), address).to.match(wrong);
      expect(await refusal(commands.request(me, [address], {})), address).to.match(wrong);
    }
    expect((await mine()).map((push) => push.id)).to.deep.equal([id]);
  });

  it('a push is shared in no channel that the chat did not name', async () => {
    const { id } = await newPush({ expireAfterViews: 5 });
    const { run } = planOf(actions.shareInChannel);
    for (const channel of [undefined, ''])
      expect(await refusalCard(run({ caller: me, value: id, channel }))).to.match(
        /^It cannot be shared here/,
      );
    const error = await commands.shareInChannel(me, id, '').catch(String);
    expect(error).to.include('without an address');
    const other = chatCaller(newChatUser());
    expect(await refusal(commands.openBound(other, id, ''))).to.match(/^(forbidden|not_found)/);
  });

  it('a button that must ask first burns nothing when its confirmation is overlooked', async () => {
    const push = await newPush();
    const burn = buttonsOf(cardsOf().pushCreated(push, '')).find(({ label }) => label === 'Burn now');
    const { id, confirm } = burn as Button & { id: string };
    const plan = createPressPlans(commands)[id];
    if (plan?.shows !== 'question') return expect.fail('burns at once');
    const asked = plan.ask({ caller: me, value: push.id });
    expect(linesOf(asked)).to.deep.equal(['Burn this link?', 'Nobody will be able to open it any more.']);
    expect(await mine()).to.have.length(1);
    expect(buttonsOf(asked)[0]).to.include({ id: confirm?.id, value: push.id });
    await planOf(actions.burn).run({ caller: me, value: push.id });
    expect(await mine()).to.have.length(0);
  });

  it('each button is known to every chat: it runs a command, opens a form, or is a link', () => {
    const known = [...Object.keys(createPressPlans(commands)), ...Object.keys(formPlans)];
    const others = [actions.open, actions.compose, actions.more]; // links, and a part of one chat’s form
    expect([...known, ...others]).to.have.members(Object.values(actions));
  });

  it('secrets after a command can be forbidden wherever they can be typed', async () => {
    for (const platform of ['slack', 'discord'] as const) {
      const address = { slack: 'T7:U1', discord: '1'.repeat(18) }[platform];
      const admin = chatCaller({ platform, address }, { workspace: 'T7', standing: 'admin' });
      await commands.submit(admin, { id: formIds.rules, values: { rules: [] }, state: {} });
      const { allowSlashText } = await domain.chat.settings.ofCaller(admin);
      expect(allowSlashText, platform).to.equal(!platforms[platform].hasSlashText);
    }
    await setRules(domain, 'slack', 'T7', { requireRecipients: false, allowSlashText: true });
  });

  function planOf(action: string) {
    const plan = createPressPlans(commands)[action];
    return plan === undefined || plan.shows === 'question' ? expect.fail(`no plan of ${action}`) : plan;
  }
});

/** The text of the card that a command ended with. */
const refusalCard = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => expect.fail('nothing was refused'),
    (error: Error) => error.message,
  );
