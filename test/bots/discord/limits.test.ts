import { expect } from 'chai';
import type { Modal } from '../../../tools/standins/discord/modals.ts';
import { cleanUpAfterEach } from '../../harness/cleanUp.ts';
import { startStage } from './stage.ts';

/** What a modal says below the label of a field. */
const descriptionIn = ({ view }: Modal, label: string): unknown =>
  view.components.find((each) => each.label === label)?.description;

describe('Options of /push beyond the rules of a server', () => {
  const cleanUp = cleanUpAfterEach();

  it('are refused, and said to be lowered wherever a form offers what is allowed instead', async () => {
    const stage = await startStage();
    cleanUp(() => stage.stop(['tulip']));
    const alice = stage.discord.user('alice');
    const rules = await (await alice.runs('/pushes settings').message()).press('Server rules').modal();
    await rules
      .fill({ 'Most views of a link': '3 views', 'Longest life of a link': '2 days' })
      .submit()
      .message();
    const options = { views: 50, expires: '30 days' };
    const form = await alice.runs('/push', options).modal();
    const refused = await form.fill({ Secret: 'tulip' }).submit().message();
    expect(refused.text).to.equal(
      'Views must be at most 3 in this workspace.\nDays must be at most 2 in this workspace.',
    );
    const other = await alice.runs('/push', options).modal();
    const asked = await other
      .fill({ Secret: 'tulip', 'More options': ['Give it a name'] })
      .submit()
      .message();
    const more = await asked.press('More options').modal();
    expect(descriptionIn(more, 'Views')).to.match(/^You chose more than is allowed here.*3 views\.$/);
    expect(descriptionIn(more, 'Expires after')).to.match(/^You chose more than is allowed here.*2 days\.$/);
    const answer = await more.submit().message();
    expect(answer.text).to.match(/opens 3 times/);
  });
});
