import { expect } from 'chai';
import { valuesOf } from '../../src/bots/commands/drafts.ts';
import { type FormField, formIds } from '../../src/bots/form.ts';
import { createForms } from '../../src/bots/forms/forms.ts';
import { fieldsToCorrect } from '../../src/bots/forms/push.ts';
import { readPushForm } from '../../src/bots/forms/readPush.ts';
import { readRequestForm } from '../../src/bots/forms/request.ts';
import { type RequestLinkFormOptions, readRequestLinkForm } from '../../src/bots/forms/requestLink.ts';
import { readRules } from '../../src/bots/forms/rules.ts';
import { readSettingsForm } from '../../src/bots/forms/settings.ts';
import { isTimeZone } from '../../src/domain/index.ts';
import { messagesOf } from '../../src/locales/locales.ts';

const forms = createForms(messagesOf('en').chat);
const notices = {
  viewed: 'first' as const,
  expired: true,
  failedPassphrase: false,
  reminder: true,
  askedAgain: false,
};
const defaults = {
  views: 5,
  viewsForOne: 1,
  days: 7,
  maxViews: 10,
  maxDays: 14,
  requireRecipients: false,
  canAttachFiles: true,
  canMail: false,
  requireBound: false,
  notices,
};

const find = (fields: FormField[], name: string) => {
  const field = fields.find((each) => 'name' in each && each.name === name);
  if (field === undefined) throw new Error(`no field ${name}`);
  return field;
};

const labelsOf = (field: FormField) => ('options' in field ? field.options.map(({ label }) => label) : []);

describe('the forms of all chats', () => {
  it('show the fields of a push that the chat has room for, in its order', () => {
    const { fields, title } = forms.push(defaults, { fields: ['recipients', 'payload', 'note'], state: {} });
    expect(fields.map((field) => 'name' in field && field.name)).to.eql(['recipients', 'payload', 'note']);
    expect(title).to.equal('New link');
  });

  it('offer views and lifetimes up to what is allowed, with the defaults selected', () => {
    const { fields } = forms.push(defaults, {
      fields: ['expireAfterViews', 'expireAfterDays'],
      state: { views: 25 },
    });
    const views = find(fields, 'expireAfterViews');
    expect(labelsOf(views)).to.eql([
      'Default (1 view for each recipient, else 5 views)',
      '1 view',
      '2 views',
      '3 views',
      '5 views',
      '10 views',
    ]);
    expect(views).to.include({ selected: '10' });
    const lifetime = find(fields, 'expireAfterDays');
    expect(labelsOf(lifetime).slice(0, 4)).to.eql(['10 minutes', '1 hour', '8 hours', '1 day']);
    expect(labelsOf(lifetime).at(-1)).to.equal('14 days');
    expect(lifetime).to.include({ selected: '7d' });
  });

  it('leave the number of views to the defaults where none was chosen, and offer further fields apart', () => {
    const { fields, more } = forms.push(defaults, {
      fields: ['payload'],
      more: ['expireAfterViews'],
      state: {},
    });
    expect(fields).to.have.length(1);
    expect(more).to.deep.include({ label: 'More options' });
    const views = find(more?.fields ?? [], 'expireAfterViews');
    expect(views).to.include({ selected: 'usual' });
    expect(readPushForm({ payload: 'tulip', expireAfterViews: 'usual' }).form.expireAfterViews).to.equal(
      undefined,
    );
    const own = forms.push({ ...defaults, viewsForOne: 5 }, { fields: ['expireAfterViews'], state: {} });
    expect(labelsOf(find(own.fields, 'expireAfterViews'))[0]).to.equal('Default (5 views)');
  });

  it('ask for no secret where a draft holds it, and for no recipients where a request names one', () => {
    const { fields, title } = forms.push(defaults, {
      fields: ['payload', 'recipients'],
      state: { draftToken: 'token', requestId: 'id' },
      draft: { values: { payload: 'twelve chars' } },
      messageLength: 12,
    });
    expect(title).to.equal('Provide a secret');
    expect(fields.map((field) => field.type)).to.eql(['info', 'info']);
    expect(fields[0]).to.include({ text: 'The text of that message, 12 characters.' });
  });

  it('ask for the addresses of a request link where mails go, also where there is room for five fields', () => {
    const namesOf = (options: RequestLinkFormOptions) =>
      forms.requestLink(options).fields.map((field) => 'name' in field && field.name);
    const rest = ['note', 'expireAfterMinutes', 'answers', 'passphrase'];
    expect(namesOf({ fieldsMax: 5 })).to.eql(['title', ...rest]);
    expect(namesOf({ canMail: true })).to.eql(['title', 'to', ...rest]);
    const without = (name: string) => ['title', 'to', ...rest.filter((each) => each !== name)];
    expect(namesOf({ canMail: true, fieldsMax: 5 })).to.eql(without('answers'));
    expect(namesOf({ canMail: true, fieldsMax: 5, minutes: 90 })).to.eql(without('expireAfterMinutes'));
  });

  it('read a request link, with its time if that was chosen before, and no number of answers where none was', () => {
    const { fields, state } = forms.requestLink({ canMail: true, fieldsMax: 5, minutes: 90 });
    expect(find(fields, 'answers')).to.include({ selected: 'usual' });
    const values = { title: 'VPN', to: 'bob@example.com', answers: 'usual' };
    expect(readRequestLinkForm(values, state)).to.include({ to: 'bob@example.com', expireAfterMinutes: 90 });
    expect(readRequestLinkForm(values, state).answers).to.equal(undefined);
    const chosen = { ...values, answers: '3', expireAfterMinutes: '60' };
    expect(readRequestLinkForm(chosen, state)).to.include({ answers: 3, expireAfterMinutes: 60 });
    expect(readRequestLinkForm(values, {}).expireAfterMinutes).to.equal(undefined);
  });

  it('read a push with what was chosen before the form was opened', () => {
    const submission = {
      id: formIds.push,
      values: { payload: 'tulip', passphrase: undefined, recipients: ['T1:U1'] },
      state: { views: 3, expires: '8h', name: 'VPN' },
    };
    const { form, recipients } = readPushForm(valuesOf(submission, undefined));
    expect(recipients).to.eql(['T1:U1']);
    expect(form).to.include({ payload: 'tulip', expireAfterViews: 3, expireAfterHours: 8, name: 'VPN' });
    expect(form.deletableByViewer).to.equal(undefined);
    expect(form.notify).to.equal(undefined);
  });

  it('show everything that was entered before again, but neither the secret nor the passphrase', () => {
    const draft = {
      values: {
        payload: 'tulip',
        passphrase: 'rose',
        recipients: ['U1'],
        note: 'a note',
        expireAfterViews: '25',
      },
      problems: ['expireAfterViews'],
      hadFiles: true,
    };
    const names = fieldsToCorrect(draft, 7);
    expect(names).to.eql([
      'expireAfterViews',
      'files',
      'payload',
      'recipients',
      'expireAfterDays',
      'passphrase',
      'note',
    ]);
    const chosen = ['expireAfterViews', 'passphrase', 'name', 'note'];
    expect(fieldsToCorrect({ ...draft, problems: chosen }, 5)).to.include('files');
    const { fields } = forms.push(defaults, { fields: names, state: { draftToken: 'token' }, draft });
    expect(find(fields, 'note')).to.include({ value: 'a note' });
    expect(find(fields, 'recipients')).to.deep.include({ selected: ['U1'] });
    expect(find(fields, 'files')).to.include({ isRequired: true });
    expect(find(fields, 'passphrase')).to.include({ hint: 'As entered before; type here to change it' });
    expect(JSON.stringify(fields)).to.not.match(/tulip|rose/);

    const again = {
      id: formIds.push,
      values: { note: undefined, recipients: [], passphrase: undefined },
      state: {},
    };
    expect(readPushForm(valuesOf(again, draft))).to.deep.include({ recipients: [] });
    expect(readPushForm(valuesOf(again, draft)).form).to.include({
      payload: 'tulip',
      passphrase: 'rose',
      note: undefined,
      expireAfterViews: 25,
    });
    const changed = { ...again, values: { passphrase: 'lily' } };
    expect(readPushForm(valuesOf(changed, draft)).form).to.include({ passphrase: 'lily', note: 'a note' });
  });

  it('leave no choice about who can open a push where the workspace decides that', () => {
    for (const [requireBound, offered] of [
      [false, ['bound', 'deletable']],
      [true, ['deletable']],
    ] as const) {
      const { fields } = forms.push({ ...defaults, requireBound }, { fields: ['rights'], state: {} });
      const rights = find(fields, 'rights');
      expect('options' in rights && rights.options.map(({ value }) => value)).to.eql(offered);
    }
  });

  it('read rights and notices as off where they were shown and not selected', () => {
    const { form } = readPushForm({ payload: 'tulip', rights: [], notify: ['first', 'reminder'] });
    expect(form.deletableByViewer).to.equal(false);
    expect(form.notify).to.eql({ ...notices, expired: false });
  });

  it('read settings that were left alone as they were', () => {
    const settings = {
      personal: { expireAfterViews: 2 },
      notices,
      workspace: { requireRecipients: true, allowSlashText: false, maxDays: 7 },
    };
    const { fields, state } = forms.settings(settings, defaults, { hasRules: true });
    expect(state.hasRules).to.equal(true);
    const values = Object.fromEntries(
      fields.flatMap((field) => ('selected' in field ? [[field.name, field.selected]] : [])),
    );
    expect(readSettingsForm(values)).to.eql({
      personal: { expireAfterViews: 2, expireAfterDays: undefined, timeZone: undefined },
      notices,
    });
    expect(readRules(values, { hasSlashText: true })).to.include(settings.workspace);
    expect(readRules(values, { hasSlashText: false }).allowSlashText).to.equal(true);
  });

  it('ask for a time zone where the chat does not tell it, and keep the one that was set', () => {
    const workspace = { requireRecipients: false, allowSlashText: true };
    const settings = { personal: { timeZone: 'America/New_York' }, notices, workspace };
    const { fields } = forms.settings(settings, defaults, { asksTimeZone: true });
    const field = find(fields, 'timeZone');
    expect(field).to.include({ selected: 'America/New_York' });
    expect(labelsOf(field)).to.have.length.at.most(25);
    expect(labelsOf(field)).to.include.members(['Not set', 'America/New York', 'Europe/Berlin']);
    for (const { value } of 'options' in field ? field.options.slice(1) : [])
      expect(isTimeZone(value), value).to.equal(true);
    expect(readSettingsForm({ timeZone: 'Asia/Tokyo' }).personal).to.include({ timeZone: 'Asia/Tokyo' });
    for (const timeZone of ['none', 'Nowhere', undefined])
      expect(readSettingsForm({ timeZone }).personal).to.include({ timeZone: undefined });
  });

  it('ask for a secret, with what is known of the people, the reason and the due time', () => {
    const known = { providers: ['U1', 'U2'], reason: 'the key', dueInMinutes: 45 };
    const { fields } = forms.request(known);
    const due = find(fields, 'due');
    expect(find(fields, 'providers')).to.deep.include({ type: 'people', max: 25, selected: ['U1', 'U2'] });
    expect(find(fields, 'reason')).to.include({ value: 'the key' });
    expect(due).to.include({ selected: '45' });
    expect(labelsOf(due)).to.eql([
      ...['45 minutes', '1 hour', '4 hours', '1 day', '2 days', '3 days', '7 days', '14 days'],
    ]);
    expect(find(forms.request().fields, 'due')).to.include({ selected: '20160' });
    const values = { providers: ['U1'], due: '240' };
    expect(readRequestForm(values)).to.eql({ providers: ['U1'], reason: undefined, dueInMinutes: 240 });
  });
});
