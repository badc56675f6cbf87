import { expect } from 'chai';
import { commandDefinitions } from '../../src/bots/discord/commandDefinitions.ts';
import type { FormSpec } from '../../src/bots/form.ts';
import { languageOf } from '../../src/bots/language.ts';
import { locales, messagesOf, toLocale } from '../../src/locales/locales.ts';
import { platformNames } from '../../src/platforms.ts';

const bounds = { views: 5, viewsForOne: 1, days: 7, maxViews: 100, maxDays: 90 };
const notices = { viewed: 'every', expired: true, failedPassphrase: true, reminder: true, askedAgain: true };
const settings = {
  personal: {},
  notices: notices as never,
  workspace: { requireRecipients: false, allowSlashText: true },
};

function formsIn(locale: string): FormSpec[] {
  const { forms } = languageOf({ locale });
  const rules = { requireRecipients: false, requireBound: false };
  const defaults = { ...bounds, ...rules, canAttachFiles: true, canMail: true, notices: notices as never };
  const fields = ['payload', 'recipients', 'expireAfterViews', 'expireAfterDays', 'passphrase'] as const;
  const others = ['files', 'messageFiles', 'name', 'note', 'rights', 'notify', 'more', 'compose'] as const;
  const compose = { link: 'https://push.example.com', token: 'token' };
  return [
    forms.push(defaults, { fields: [...fields], state: {} }),
    forms.push(defaults, { fields: [...others], state: { requestId: '1' }, compose }),
    forms.request(),
    forms.share('1'),
    forms.confirmLink('1'),
    forms.settings(settings, bounds, { hasRules: true, asksTimeZone: true }),
    ...platformNames.map((platform) => forms.rules(settings.workspace, bounds, platform)),
  ];
}

/** Every text that takes no values, by its path. */
function textsIn(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => textsIn(each, `${path}.${key}`));
}

/** What is the same word in English and in another language. */
const sameInBoth: Record<string, string[]> = {
  de: [
    '.commandNames.name',
    '.commandNames.push',
    '.forms.confirmLink.code',
    '.forms.push.passphrase',
    '.forms.push.name',
    '.requests.dueWords.minutes.0',
  ],
};

describe('What the chats say', () => {
  for (const locale of locales) {
    it(`fits into the forms and buttons of every chat in ${messagesOf(locale).language}`, () => {
      for (const { id, title, submit, cancel, fields } of formsIn(locale)) {
        // titles take 24 characters in Slack, and as many bytes in Mattermost; the longer one of the rules is Discord's
        const isOfDiscord = title === messagesOf(locale).chat.forms.rules.title.server;
        expect(Buffer.byteLength(title), `${id}: ${title}`).to.be.at.most(isOfDiscord ? 45 : 24);
        expect([submit, cancel].join().length, id).to.be.at.most(48);
        for (const field of fields) {
          if ('label' in field) expect(field.label.length, field.label).to.be.at.most(45);
          if ('hint' in field && field.hint) expect(field.hint.length, field.hint).to.be.at.most(100);
          if ('options' in field)
            for (const { label } of field.options) expect(label.length, label).to.be.at.most(75);
        }
      }
      const { chat } = messagesOf(locale);
      const { extend: _, remindIn, rules, ...labels } = chat.buttons;
      for (const label of [labels, remindIn, rules].flatMap((each) => Object.values<string>(each)))
        expect(label.length, label).to.be.at.most(75);
      for (const text of [chat.modals.sorry, chat.modals.done, chat.buttons.audit, chat.buttons.nudge])
        expect(text.length, text).to.be.at.most(24);
      const { title, text, yes, no } = chat.confirmBurn;
      expect(title.length).to.be.at.most(100);
      expect(text.length).to.be.at.most(300);
      for (const label of [yes, no]) expect(label.length).to.be.at.most(30);
    });
  }

  for (const locale of locales.filter((each) => each !== 'en'))
    it(`is wholly translated into ${messagesOf(locale).language}`, () => {
      const english = new Map(textsIn(messagesOf('en').chat));
      const untranslated = textsIn(messagesOf(locale).chat).filter(
        ([path, text]) => english.get(path) === text,
      );
      expect(untranslated.map(([path]) => path)).to.have.members(sameInBoth[locale] ?? []);
    });

  it('calls what the form of a push is about by one gender in German', () => {
    const [form, more] = formsIn('de');
    const labels = [form, more].flatMap((each) =>
      (each?.fields ?? []).flatMap((field) => ('options' in field ? field.options : [])),
    );
    const texts = labels.map(({ label }) => label);
    expect(texts.filter((text) => /\b(es|er|ihn)\b/.test(text))).to.have.length.above(4);
    expect(texts.filter((text) => /\b(er|ihn)\b/.test(text))).to.eql([]);
  });

  it('is in the language of a tag, or else in English', () => {
    expect(
      ['de', 'de-AT', 'DE-de', 'en-GB', 'ja', 'toString', '', undefined].map((tag) => toLocale(tag)),
    ).to.eql(['de', 'de', 'de', 'en', 'en', 'en', 'en', 'en']);
  });

  it('names the commands of Discord in every language as Discord allows', () => {
    const [push, pushes, , sendTo] = JSON.parse(JSON.stringify(commandDefinitions));
    expect(push.description_localizations.de).to.equal(messagesOf('de').chat.commands.push);
    expect(sendTo.name_localizations.de).to.equal('Ein Geheimnis senden');
    const names: string[] = [];
    const collect = ({
      name,
      name_localizations = {},
      description_localizations = {},
      options = [],
    }: Definition) => {
      names.push(name, ...Object.values(name_localizations));
      for (const text of Object.values(description_localizations))
        expect(text.length, text).to.be.at.most(100);
      options.forEach(collect);
    };
    [push, pushes].forEach(collect);
    for (const name of names) expect(name).to.match(/^[\p{Ll}\p{N}_-]{1,32}$/u);
    expect(names).to.include('einstellungen');
  });

  it('has no two words for commands that are the same', () => {
    for (const locale of locales) {
      const { list, expire, audit, request, connect, settings, help } = messagesOf(locale).chat.commandNames;
      expect(new Set([list, expire, audit, request, connect, settings, help])).to.have.property('size', 7);
    }
  });
});

type Definition = {
  name: string;
  name_localizations?: Record<string, string>;
  description_localizations?: Record<string, string>;
  options?: Definition[];
};
