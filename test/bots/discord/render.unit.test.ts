import { expect } from 'chai';
import { type Card, textCard } from '../../../src/bots/card.ts';
import { decodeDiscordState, encodeDiscordState, nameMax } from '../../../src/bots/discord/customIds.ts';
import { renderDiscordMessage, renderEphemeral } from '../../../src/bots/discord/render.ts';
import { type FormId, type FormState, formIds } from '../../../src/bots/form.ts';

const marked = (...lines: Card['lines']): string => renderDiscordMessage({ summary: ['x'], lines }).content;

describe('Cards in Discord', () => {
  it('escape markup in the names that users give', () => {
    expect(marked(['*a* _b_ ~c~ `d` |e| [f](https://evil.test) <@1> \\'])).to.equal(
      '\\*a\\* \\_b\\_ \\~c\\~ \\`d\\` \\|e\\| \\[f\\](https\\://evil.test) \\<@1> \\\\',
    );
    expect(marked(['# big\n> quoted\n- listed\n12. counted'])).to.equal(
      '\\# big\n\\> quoted\n\\- listed\n\\12. counted',
    );
    expect(marked([{ bold: 'a**b\nc' }, { code: 'd`e' }])).to.equal('**a\\*\\*b c**`d’e`');
    expect(marked([{ link: 'https://push.test/p/x', label: 'a](b' }])).to.equal(
      '[a\\](b](<https://push.test/p/x>)',
    );
    expect(marked(['@everyone @here a@b'])).to.equal('@\u200beveryone @\u200bhere a@b');
  });

  it('mention people, show times in the reader’s time zone, and show links that can be copied', () => {
    expect(marked([{ person: '2' }])).to.equal('<@2>');
    const time = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
    expect(marked([{ time, as: 'moment' }, ' ', { time, as: 'date' }])).to.equal(
      '<t:1767323045:f> <t:1767323045:D>',
    );
    const link = 'https://push.test/p/x';
    expect(marked([{ link, label: link }])).to.equal(`<${link}>`);
  });

  it('notify nobody of a mention, show no previews, and are ephemeral where that is asked for', () => {
    expect(renderDiscordMessage(textCard('x'))).to.deep.include({
      allowed_mentions: { parse: [] },
      flags: 1 << 2,
    });
    expect(renderEphemeral(textCard('x')).flags).to.equal((1 << 2) | (1 << 6));
  });

  it('stay within Discord’s limits, however long the content', () => {
    const button = { label: 'Open', id: 'open', value: 'x' };
    const long = renderDiscordMessage({
      summary: ['x'],
      lines: Array.from({ length: 200 }, (_, index) => [`${index} ${'x'.repeat(40)}`]),
      items: Array.from({ length: 80 }, (_, index) => ({
        line: [`item ${index}`],
        buttons: [],
        label: 'y'.repeat(300),
        details: { id: 'show', value: String(index) },
      })),
      buttons: Array.from({ length: 40 }, (_, index) => ({ ...button, value: String(index) })),
    });
    expect(long.content.length).to.be.within(1_900, 2_000);
    expect(long.content).to.match(/\n…$/);
    expect(long.components).to.have.length(5);
    for (const row of long.components) expect(row.components.length).to.be.within(1, 5);
    const [menu] = long.components[0]?.components ?? [];
    const options = menu && 'options' in menu ? menu.options : [];
    expect(options).to.have.length(25);
    for (const { label } of options) expect(label.length).to.be.at.most(100);
  });
});

describe('The state of a form in Discord', () => {
  const draftToken = 'd'.repeat(43);
  const requestId = '0a'.repeat(16);

  it('is decoded as it was encoded', () => {
    const states: [FormId, FormState][] = [
      [formIds.push, {}],
      [formIds.push, { views: 100, expires: '90d', name: 'a, b: !c\nd' }],
      [formIds.push, { requestId, draftToken }],
      [formIds.push, { draftToken, isFromMessage: true }],
      [formIds.share, { pushId: requestId }],
      [formIds.request, {}],
      [formIds.rules, {}],
    ];
    for (const [id, state] of states) {
      const decoded = Object.entries(decodeDiscordState(id, encodeDiscordState(id, state)));
      expect(Object.fromEntries(decoded.filter(([, value]) => value))).to.eql(state);
    }
  });

  it('fits into a custom id, with the longest name that can be given', () => {
    const chosen = { views: 100, expires: '90d', draftToken };
    for (const state of [
      { ...chosen, name: 'n'.repeat(nameMax) },
      { ...chosen, requestId },
    ])
      expect(`push.refill:${encodeDiscordState(formIds.push, state)}`.length).to.be.at.most(100);
  });
});
