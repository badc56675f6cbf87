import { expect } from 'chai';
import { routes } from './discord/rest/index.ts';
import { validateChoices, validateCommands } from './discord/schema/commands.ts';
import { describeFault, type Fault } from './discord/schema/fault.ts';
import { type MessageKind, validateMessage } from './discord/schema/messages.ts';
import { validateModal } from './discord/schema/modals.ts';
import { hasOpenApi, routeOf, validateRequest } from './discord/schema/openApi.ts';
import { validateBody } from './discord/schema/validity.ts';

type Fields = Record<string, unknown>;

const x = (length: number) => 'x'.repeat(length);
const many = <T>(length: number, make: (index: number) => T) =>
  Array.from({ length }, (_, index) => make(index));

const command = (more: Fields = {}) => ({ name: 'push', description: 'Pushes', ...more });
const option = (more: Fields = {}) => ({ type: 3, name: 'name', description: 'A name', ...more });
const ofCommand = (more: Fields) => validateCommands([command(more)]);
const ofOptions = (...options: Fields[]) => ofCommand({ options });

const button = (more: Fields = {}) => ({ type: 2, style: 1, label: 'Burn', custom_id: 'burn', ...more });
const link = (more: Fields = {}) => ({ type: 2, style: 5, label: 'Open', url: 'https://push.test', ...more });
const select = (more: Fields = {}) => ({
  ...{ type: 3, custom_id: 'pick', options: [{ label: 'A', value: 'a' }] },
  ...more,
});
const row = (...components: Fields[]) => ({ type: 1, components });
const message = (more: Fields, kind: MessageKind = 'posted') =>
  validateMessage(kind, { content: 'x', ...more });
const withParts = (...components: Fields[]) => message({ components });

const input = (more: Fields = {}) => ({ type: 4, custom_id: 'secret', style: 2, ...more });
const label = (component: Fields, more: Fields = {}) => ({ type: 18, label: 'Secret', component, ...more });
const modal = (more: Fields = {}) =>
  validateModal({ custom_id: 'push', title: 'New push', components: [label(input())], ...more });
const withInputs = (...components: Fields[]) => modal({ components });

const embeds = (...list: Fields[]) => message({ embeds: list });

type Row = [what: string, validate: () => Fault[], fault: string];

const commandsRefused: Row[] = [
  ['a name in capitals', () => ofCommand({ name: 'Push' }), '[0].name: must be in lower case'],
  [
    'a name with a capital of another script',
    () => ofCommand({ name: 'ÄPFEL' }),
    '[0].name: must be in lower case',
  ],
  ['a name with a space', () => ofCommand({ name: 'push it' }), '[0].name: must be 1 to 32 letters'],
  ['a name of 33 characters', () => ofCommand({ name: x(33) }), '[0].name: must be 1 to 32 letters'],
  ['a command without a name', () => ofCommand({ name: undefined }), '[0].name: must be 1 to 32 letters'],
  [
    'a command without a description',
    () => ofCommand({ description: '' }),
    '[0].description: must be 1 to 100',
  ],
  [
    'a description of 101 characters',
    () => ofCommand({ description: x(101) }),
    '[0].description: must be 1 to 100',
  ],
  ['a repeated name', () => validateCommands([command(), command()]), '[1].name: is there already'],
  [
    '16 commands in a menu',
    () => validateCommands(many(16, (index) => ({ type: 3, name: `Push ${index}` }))),
    'must be 15 or fewer of type 3',
  ],
  [
    'a menu command with a description',
    () => ofCommand({ type: 2, name: 'Send' }),
    '[0].description: only slash commands have one',
  ],
  [
    'a menu command with options',
    () => validateCommands([{ type: 3, name: 'Send', options: [option()] }]),
    '[0].options: only slash commands have them',
  ],
  [
    'a menu command with a name of 33 characters',
    () => validateCommands([{ type: 2, name: x(33) }]),
    '[0].name: must be 1 to 32',
  ],
  [
    'an option name in capitals',
    () => ofOptions(option({ name: 'Name' })),
    '[0].options[0].name: must be in lower case',
  ],
  [
    'an option name of 33 characters',
    () => ofOptions(option({ name: x(33) })),
    '[0].options[0].name: must be 1 to 32',
  ],
  [
    'an option without a description',
    () => ofOptions(option({ description: undefined })),
    '[0].options[0].description: must be 1 to 100',
  ],
  ['a repeated option', () => ofOptions(option(), option()), '[0].options[1].name: is there already'],
  [
    'a required option after an optional one',
    () => ofOptions(option(), option({ name: 'b', required: true })),
    '[0].options[1].required: required options come before',
  ],
  [
    '26 options',
    () => ofOptions(...many(26, (index) => option({ name: `o${index}` }))),
    '[0].options: must be 25 or fewer',
  ],
  [
    '26 choices',
    () => ofOptions(option({ choices: many(26, (index) => ({ name: 'x', value: `${index}` })) })),
    '[0].options[0].choices: must be 25 or fewer',
  ],
  [
    'a choice with a name of 101 characters',
    () => ofOptions(option({ choices: [{ name: x(101), value: 'a' }] })),
    '[0].options[0].choices[0].name: must be 1 to 100',
  ],
  [
    'a choice with a value of 101 characters',
    () => ofOptions(option({ choices: [{ name: 'a', value: x(101) }] })),
    '[0].options[0].choices[0].value: must be of the option’s type',
  ],
  [
    'a numeric choice for a text option',
    () => ofOptions(option({ choices: [{ name: 'a', value: 1 }] })),
    '[0].options[0].choices[0].value: must be of the option’s type',
  ],
  [
    'a fractional choice for an integer option',
    () => ofOptions(option({ type: 4, choices: [{ name: 'a', value: 1.5 }] })),
    '[0].options[0].choices[0].value: must be of the option’s type',
  ],
  [
    'choices together with autocompletion',
    () => ofOptions(option({ autocomplete: true, choices: [{ name: 'a', value: 'a' }] })),
    '[0].options[0].autocomplete: cannot go with choices',
  ],
  [
    'autocompletion for a user option',
    () => ofOptions(option({ type: 6, autocomplete: true })),
    '[0].options[0].autocomplete: not for this type',
  ],
  [
    'a subcommand beside an option',
    () => ofOptions(option({ type: 1, name: 'list' }), option()),
    '[0].options: subcommands cannot stand beside',
  ],
  [
    'a subcommand group that holds options',
    () => ofOptions(option({ type: 2, options: [option()] })),
    '[0].options[0].options: a group holds subcommands',
  ],
  [
    'a subcommand group in a group',
    () => ofOptions(option({ type: 2, options: [option({ type: 2, options: [] })] })),
    '[0].options[0].options[0].type: cannot stand so deep',
  ],
  [
    'a subcommand in a subcommand',
    () => ofOptions(option({ type: 2, options: [option({ type: 1, options: [option({ type: 1 })] })] })),
    '[0].options[0].options[0].options[0].type: cannot stand so deep',
  ],
  [
    'a command of more than 8,000 characters',
    () => {
      const choices = many(25, (index) => ({ name: x(100), value: `${index}`.padStart(100, 'y') }));
      return ofOptions(option({ choices }), option({ name: 'b', choices }));
    },
    '[0]: must be 8000 or fewer in length in all',
  ],
  [
    '26 autocompletion choices',
    () =>
      validateChoices(
        many(26, () => ({ name: 'x', value: 'x' })),
        3,
      ),
    'choices: must be 25',
  ],
];

const componentsRefused: Row[] = [
  [
    'a link button without a URL',
    () => withParts(row(link({ url: undefined }))),
    '[0].url: a link button needs it',
  ],
  [
    'a link button with a custom id',
    () => withParts(row(link({ custom_id: 'x' }))),
    '[0].custom_id: a link button cannot have one',
  ],
  [
    'a link button whose URL is not http or https',
    () => withParts(row(link({ url: 'ftp://x' }))),
    '[0].url: must be an address',
  ],
  [
    'a link button with a URL of 513 characters',
    () => withParts(row(link({ url: `https://${x(505)}` }))),
    '[0].url: must be 512 or fewer',
  ],
  [
    'an ordinary button with a URL',
    () => withParts(row(button({ url: 'https://x' }))),
    '[0].url: only a link button',
  ],
  [
    'a button without a custom id',
    () => withParts(row(button({ custom_id: undefined }))),
    '[0].custom_id: a button needs it',
  ],
  [
    'a custom id of 101 characters',
    () => withParts(row(button({ custom_id: x(101) }))),
    '[0].custom_id: must be 100 or fewer',
  ],
  [
    'a repeated custom id',
    () => withParts(row(button(), button())),
    '[1].custom_id: “burn” is there already',
  ],
  [
    'a repeated component id',
    () => withParts(row(button({ id: 7 }), link({ id: 7 }))),
    '[1].id: 7 is there already',
  ],
  [
    'a button without a label',
    () => withParts(row(button({ label: '' }))),
    '[0].label: a button needs a label',
  ],
  [
    'a label of 81 characters',
    () => withParts(row(button({ label: x(81) }))),
    '[0].label: must be 80 or fewer',
  ],
  [
    'a premium button without an SKU',
    () => withParts(row(button({ style: 6 }))),
    '[0].sku_id: a premium button needs it',
  ],
  [
    'six buttons',
    () => withParts(row(...many(6, (index) => button({ custom_id: `${index}` })))),
    'must be 1 to 5 in',
  ],
  ['an empty row', () => withParts(row()), 'components[0].components: must be 1 to 5 in number'],
  ['a select beside a button', () => withParts(row(select(), button())), 'a select stands alone in its row'],
  [
    'six rows',
    () => withParts(...many(6, (index) => row(button({ custom_id: `${index}` })))),
    '5 or fewer rows',
  ],
  [
    'a select without a custom id',
    () => withParts(row(select({ custom_id: '' }))),
    '[0].custom_id: must be 1 to 100',
  ],
  ['a select without options', () => withParts(row(select({ options: [] }))), '[0].options: must be 1 to 25'],
  [
    'a select with 26 options',
    () => withParts(row(select({ options: many(26, (index) => ({ label: 'x', value: `${index}` })) }))),
    '[0].options: must be 1 to 25',
  ],
  [
    'a repeated option value',
    () => withParts(row(select({ options: many(2, () => ({ label: 'x', value: 'x' })) }))),
    '[0].options: must have different values',
  ],
  [
    'two default options where one can be chosen',
    () =>
      withParts(
        row(select({ options: many(2, (index) => ({ label: 'x', value: `${index}`, default: true })) })),
      ),
    '[0].options: no more than 1 can be chosen beforehand',
  ],
  [
    'a minimum above the maximum',
    () => withParts(row(select({ min_values: 3, max_values: 2 }))),
    '[0].min_values: must not be more than max_values',
  ],
  ['a text input in a message', () => withParts(row(input())), '[0].type: can be in modals only'],
  ['a label in a message', () => withParts(label(input())), 'components[0].type: can be in modals only'],
  [
    'a text display without the flag for it',
    () => withParts({ type: 10, content: 'x' }),
    'these need the flag 32768',
  ],
  [
    '41 components',
    () =>
      validateMessage('posted', { flags: 32_768, components: many(41, () => ({ type: 10, content: 'x' })) }),
    'must be 40 or fewer',
  ],
];

const messagesRefused: Row[] = [
  [
    'a content of 2,001 characters',
    () => message({ content: x(2001) }),
    'content: must be 2000 or fewer in length',
  ],
  ['the ephemeral flag on a posted message', () => message({ flags: 64 }), 'flags: 64 cannot be set here'],
  [
    'the flag against previews on a deferral',
    () => validateMessage('deferred', { flags: 68 }),
    'flags: 4 cannot be set here',
  ],
  ['the ephemeral flag on an edit', () => message({ flags: 64 }, 'edited'), 'flags: 64 cannot be set here'],
  ['a content beside components v2', () => message({ flags: 32_768 }), 'content: has no place beside'],
  ['a nonce of 26 characters', () => message({ nonce: x(26) }), 'nonce: must be 25 or fewer'],
  ['an enforced nonce that is missing', () => message({ enforce_nonce: true }), 'nonce: is needed'],
  [
    'embeds of 6,001 characters in all',
    () => embeds({ description: x(4000) }, { description: x(1995), footer: { text: x(6) } }),
    'embeds: must be 6000 or fewer in length in all, not 6001',
  ],
  ['an empty embed', () => embeds({ title: 'x' }, { color: 1 }), 'embeds[1]: shows nothing'],
  [
    'allowed mentions that list and parse users',
    () => message({ allowed_mentions: { parse: ['users'], users: ['1'] } }),
    'allowed_mentions.users: cannot go with the same in `parse`',
  ],
];

const modalsRefused: Row[] = [
  [
    'six components',
    () => withInputs(...many(6, (index) => label(input({ custom_id: `${index}` })))),
    '1 to 5',
  ],
  ['a modal without components', () => withInputs(), 'components: must be 1 to 5 in number'],
  ['a title of 46 characters', () => modal({ title: x(46) }), 'title: must be 1 to 45'],
  ['a modal without a title', () => modal({ title: '' }), 'title: must be 1 to 45'],
  ['a custom id of 101 characters', () => modal({ custom_id: x(101) }), 'custom_id: must be 1 to 100'],
  [
    'a label of 46 characters',
    () => withInputs(label(input(), { label: x(46) })),
    'components[0].label: must be 1 to 45',
  ],
  ['an input without a label', () => withInputs(input()), 'components[0].type: must be in a label'],
  ['an input in a row without a label', () => withInputs(row(input())), 'components[0].components[0].label'],
  [
    'an input without a custom id',
    () => withInputs(label(input({ custom_id: '' }))),
    'component.custom_id: must be 1',
  ],
  [
    'a repeated custom id',
    () => withInputs(label(input()), label(input())),
    'component.custom_id: “secret” is there already',
  ],
  [
    'an input of up to 4,001 characters',
    () => withInputs(label(input({ max_length: 4001 }))),
    'component.max_length: must be 4000',
  ],
  [
    'a minimum above the maximum',
    () => withInputs(label(input({ min_length: 3, max_length: 2 }))),
    'component.min_length: must not be more than max_length',
  ],
  [
    'an initial value above the maximum length',
    () => withInputs(label(input({ value: 'xyz', max_length: 2 }))),
    'component.value: must be 2 or fewer',
  ],
  ['a button', () => withInputs(row(button())), 'components[0].components[0].type: a modal has no buttons'],
  [
    'a disabled component',
    () => withInputs(label(select({ disabled: true }))),
    'component.disabled: nothing in a modal',
  ],
  [
    'a minimum of zero in a required select',
    () => withInputs(label({ type: 5, custom_id: 'who', min_values: 0 })),
    'component.min_values: must be 1 or more unless `required` is false',
  ],
];

const allowed: Record<string, () => Fault[]> = {
  'names in other scripts': () => validateCommands([command({ name: 'отправить' }), command({ name: 'भेजें' })]),
  'the same name for a command and two menus': () =>
    validateCommands([command(), { type: 2, name: 'push' }, { type: 3, name: 'push' }]),
  'names with spaces in menus': () => validateCommands([{ type: 3, name: 'Push Securely' }]),
  'subcommand groups': () =>
    ofOptions(option({ type: 2, options: [option({ type: 1, options: [option()] })] })),
  'required options before optional ones': () => ofOptions(option({ required: true }), option({ name: 'b' })),
  'five rows of five buttons': () =>
    withParts(...many(5, (one) => row(...many(5, (other) => button({ custom_id: `${one}${other}` }))))),
  'an emoji instead of a label': () => withParts(row(button({ label: undefined, emoji: { name: '🔥' } }))),
  'a private response': () => message({ flags: 68 }, 'response'),
  'components v2': () =>
    validateMessage('posted', {
      flags: 32_768,
      components: [{ type: 17, components: [{ type: 10, content: 'x' }] }],
    }),
  'an optional select': () =>
    withInputs(label({ type: 5, custom_id: 'who', min_values: 0, required: false, max_values: 10 })),
  'a row with a labelled input': () => withInputs(row(input({ label: 'Secret' }))),
  'checkboxes that are all checked': () =>
    withInputs(
      label(
        select({ type: 22, options: many(3, (index) => ({ label: 'x', value: `${index}`, default: true })) }),
      ),
    ),
};

describe('The Discord stand-in', () => {
  for (const [kind, rows] of Object.entries({
    commands: commandsRefused,
    components: componentsRefused,
    messages: messagesRefused,
    modals: modalsRefused,
  })) {
    describe(`in ${kind}`, () => {
      for (const [what, validate, fault] of rows) {
        it(`refuses ${what}`, () => {
          const faults = validate().map(describeFault);
          expect(faults.join('\n')).to.contain(fault);
          expect(faults).to.have.length(1);
        });
      }
    });
  }

  describe('in valid bodies', () => {
    for (const [what, validate] of Object.entries(allowed)) {
      it(`allows ${what}`, () => expect(validate().map(describeFault)).to.deep.equal([]));
    }
  });

  it('refuses a direct message without a recipient', () => {
    expect(validateBody('create_dm', {}).map(describeFault)).to.deep.equal([
      'recipient_id: a direct message needs it',
    ]);
  });

  it('refuses the same faults in the data of an interaction response', () => {
    const answer = (type: number, data: Fields, optionType?: number) =>
      validateBody('create_interaction_response', { type, data }, optionType).map(describeFault);
    expect(answer(4, { content: x(2001) })).to.have.length(1);
    expect(answer(5, { flags: 4 })).to.deep.equal(['data.flags: 4 cannot be set here']);
    expect(answer(7, { components: [row(link({ url: undefined }))] }).join()).to.contain(
      'a link button needs it',
    );
    expect(answer(8, { choices: [{ name: 'x', value: 'x' }] }, 4).join()).to.contain('of the option’s type');
    expect(answer(9, { custom_id: 'x', title: 'x', components: [] }).join()).to.contain('1');
  });
});

describe('Discord’s OpenAPI document', () => {
  before(function () {
    if (!hasOpenApi()) this.skip();
  });

  const faultsOf = (operation: string, body: unknown) => validateRequest(operation, body).map(describeFault);

  it('has the operations of the stand-in, with their methods and paths', () => {
    for (const [operation, { method, path }] of Object.entries(routes))
      expect(routeOf(operation), operation).to.equal(`${method} ${path}`);
  });

  it('validates every operation that has a body', () => {
    for (const operation of ['create_dm', 'create_message', 'update_message', 'execute_webhook'])
      expect(faultsOf(operation, []), operation).to.not.deep.equal([]);
    for (const operation of ['update_original_webhook_message', 'update_webhook_message'])
      expect(faultsOf(operation, { content: 1 }), operation).to.not.deep.equal([]);
    expect(faultsOf('bulk_set_application_commands', {})).to.deep.equal(['must be array,null']);
    expect(faultsOf('create_interaction_response', {})).to.deep.equal(['type is required']);
  });

  it('leads to short errors that fit the type of the component', () => {
    const components = [
      row({ type: 2, style: 9, label: 'x', custom_id: '' }),
      row({ type: 77 }),
      { type: 1 },
    ];
    expect(faultsOf('create_message', { components, flgs: 4 })).to.deep.equal([
      'there is no such field as flgs',
      'components[0].components[0].custom_id: must be 1 or more in length',
      'components[0].components[0].style: must be equal to constant',
      'components[1].components[0].type: must be one of 2, 8, 7, 6, 3, 5',
      'components[2]: components is required',
    ]);
  });

  it('allows no unknown fields, at any depth', () => {
    expect(faultsOf('create_dm', { recipient_id: '1', recipient: '1' })).to.deep.equal([
      'there is no such field as recipient',
    ]);
    const options = [{ type: 3, name: 'a', description: 'b', default: 1 }];
    expect(faultsOf('bulk_set_application_commands', [command({ options })])).to.deep.equal([
      '[0].options[0]: there is no such field as default',
    ]);
    const data = { content: 'x', ephemeral: true };
    expect(faultsOf('create_interaction_response', { type: 4, data })).to.deep.equal([
      'data: there is no such field as ephemeral',
    ]);
  });

  it('is not applied to the fields that discord.js always sends', () => {
    const habits = { content: 'x', tts: false, enforce_nonce: false };
    expect(validateBody('update_message', habits)).to.deep.equal([]);
    expect(validateBody('create_interaction_response', { type: 4, data: habits })).to.deep.equal([]);
    expect(validateBody('update_message', { ...habits, tts: true }).map(describeFault)).to.deep.equal([
      'there is no such field as tts',
    ]);
  });
});
