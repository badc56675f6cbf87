import { expect } from 'chai';
import type { Card } from '../../src/bots/card.ts';
import { renderDiscordForm } from '../../src/bots/discord/form.ts';
import { renderDiscordMessage } from '../../src/bots/discord/render.ts';
import type { FormSpec } from '../../src/bots/form.ts';
import { languageOf } from '../../src/bots/language.ts';
import { renderSlackForm } from '../../src/bots/slack/form.ts';
import { renderBlocks, renderSlackMessage } from '../../src/bots/slack/render.ts';
import { locales } from '../../src/locales/locales.ts';
import { cardSamples, formSamples } from '../../tools/pictures/samples.ts';

type Part = Record<string, unknown>;

const languages = locales.map((locale) => languageOf({ locale }));

/** Every card and form that there is, in every language, with a name for failures. */
const cards: [name: string, card: Card][] = languages.flatMap(({ locale, cards }) =>
  Object.values(cardSamples).flatMap((samples) =>
    Object.entries(samples).map(([name, build]): [string, Card] => [`${name} (${locale})`, build(cards)]),
  ),
);
const forms: [name: string, form: FormSpec][] = languages.flatMap(({ locale, forms }) =>
  Object.values(formSamples).flatMap((samples) =>
    Object.entries(samples).map(([name, build]): [string, FormSpec] => [`${name} (${locale})`, build(forms)]),
  ),
);

/** Every object in what is sent to a chat, at any depth. */
function partsOf(value: unknown): Part[] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(partsOf);
  return Array.isArray(value) ? inner : [value as Part, ...inner];
}

const hasWords = (text: unknown) => typeof text === 'string' && /\p{L}{2}/u.test(text);

/** Signs that stand for something, and that a screen reader reads out in its own words, or leaves out. */
const signs = /\p{Extended_Pictographic}|[←-⇿■-◿✓-✗]/u;

describe('For people who cannot see them, the chats', () => {
  it('say in a notification all that a message is about', () => {
    for (const [name, { lines, items = [], ...card }] of cards) {
      if (card.summary.length === 0) continue; // a line of another card
      expect(hasWords(renderSlackMessage({ ...card, lines, items }).text), name).to.equal(true);
      expect(hasWords(renderDiscordMessage({ ...card, lines, items }).content), name).to.equal(true);
    }
  });

  it('give every button and menu a name in words, and images a description', () => {
    for (const [name, card] of cards) {
      for (const part of partsOf(renderBlocks(card))) {
        if (part.type === 'button') expect(hasWords((part.text as Part).text), name).to.equal(true);
        if (part.type === 'image') expect(hasWords(part.alt_text), name).to.equal(true);
      }
      for (const part of partsOf(renderDiscordMessage(card).components)) {
        if (part.type === 2) expect(hasWords(part.label), name).to.equal(true);
        if (part.type === 3) expect(hasWords(part.placeholder), name).to.equal(true);
      }
    }
  });

  it('tell the buttons of a list apart in Slack', () => {
    const lists = cards.filter(([, { items = [] }]) => items.length > 0);
    expect(lists).to.not.be.empty;
    for (const [name, card] of lists) {
      const spoken = partsOf(renderBlocks({ ...card, buttons: [] })).flatMap((part) =>
        part.type === 'button' ? String(part.accessibility_label) : [],
      );
      expect(new Set(spoken), name).to.have.property('size', spoken.length);
      for (const label of spoken) expect(label, name).to.match(/^\p{L}[^:]+: .{2,}$/u);
    }
  });

  it('put no meaning into signs or colours alone', () => {
    for (const [name, card] of cards) {
      const { text, blocks } = renderSlackMessage(card);
      expect(JSON.stringify([text, blocks]), name).to.not.match(signs);
      expect(JSON.stringify(renderDiscordMessage(card)), name).to.not.match(signs);
      expect(
        partsOf(blocks).filter((part) => 'color' in part || 'attachments' in part),
        name,
      ).to.be.empty;
    }
    for (const [name, form] of forms)
      expect(JSON.stringify([renderSlackForm(form), renderDiscordForm(form)]), name).to.not.match(signs);
  });

  it('label every input of a form', () => {
    for (const [name, form] of forms) {
      for (const part of partsOf(renderSlackForm(form)))
        if (part.type === 'input') expect(hasWords((part.label as Part).text), name).to.equal(true);
      for (const component of renderDiscordForm(form).components as unknown as Part[])
        expect(hasWords(component.label ?? component.content), name).to.equal(true);
    }
  });
});
