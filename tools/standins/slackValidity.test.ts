import { expect } from 'chai';
import { validateMessage, validateView } from './slack/schema/validity.ts';

type Fields = Record<string, unknown>;

const x = (length: number) => 'x'.repeat(length);
const many = <T>(length: number, make: (index: number) => T) =>
  Array.from({ length }, (_, index) => make(index));
const plain = (text: string) => ({ type: 'plain_text', text });
const marked = (text: string) => ({ type: 'mrkdwn', text });
const section = (more: Fields = { text: marked('x') }) => ({ type: 'section', ...more });
const button = (more: Fields = {}) => ({ type: 'button', text: plain('Open'), ...more });
const actions = (...elements: Fields[]) => ({ type: 'actions', elements });
const context = (...elements: Fields[]) => ({ type: 'context', elements });
const option = (name: string, more: Fields = {}) => ({ text: plain(name), value: name, ...more });
const options = (length: number) => many(length, (index) => option(`o${index}`));
const input = (element: Fields, more: Fields = {}) => ({
  type: 'input',
  label: plain('Label'),
  element,
  ...more,
});
const textInput = (more: Fields = {}) => ({ type: 'plain_text_input', ...more });
const select = (more: Fields = { options: options(1) }) => ({ type: 'static_select', ...more });
const confirm = (more: Fields = {}) => ({
  ...{ title: plain('Sure?'), text: marked('It is gone then.'), confirm: plain('Yes'), deny: plain('No') },
  ...more,
});
const without = (fields: Fields, name: string) => {
  const { [name]: _, ...rest } = fields;
  return rest;
};
const image = { type: 'image', image_url: 'https://push.test/a.png', alt_text: 'A' };

const ofBlocks = (...blocks: unknown[]) => validateMessage('posted', { channel: 'C1', text: 'x', blocks });
const ofMessage = (more: Fields) => validateMessage('posted', { channel: 'C1', text: 'x', ...more });
const ofModal = (more: Fields = {}) =>
  validateView('modal', { type: 'modal', title: plain('Push'), submit: plain('Go'), blocks: [], ...more });
const ofModalBlocks = (...blocks: unknown[]) => ofModal({ blocks });
const ofHome = (more: Fields) => validateView('home', { type: 'home', blocks: [], ...more });

type Row = [what: string, judge: () => string[], complaint: string];

const refused: Row[] = [
  [
    '51 blocks in a message',
    () => ofBlocks(...many(51, () => ({ type: 'divider' }))),
    'no more than 50 items allowed [json-pointer:/blocks]',
  ],
  [
    'a block of an unknown type',
    () => ofBlocks({ type: 'tulip' }),
    'unsupported type: tulip [json-pointer:/blocks/0]',
  ],
  ['a block without a type', () => ofBlocks({}), 'unsupported type: none [json-pointer:/blocks/0]'],
  ['a block that is a string', () => ofBlocks('x'), 'must provide an object [json-pointer:/blocks/0]'],
  [
    'blocks that are not a list',
    () => ofMessage({ blocks: 'x' }),
    'must provide an array [json-pointer:/blocks]',
  ],
  [
    'a file block',
    () => ofBlocks({ type: 'file', external_id: 'x', source: 'remote' }),
    'unsupported type: file [json-pointer:/blocks/0]',
  ],
  [
    'an unknown field of a block',
    () => ofBlocks({ type: 'divider', colour: 'red' }),
    'invalid additional property: colour [json-pointer:/blocks/0]',
  ],
  [
    'a block_id of 256 characters',
    () => ofBlocks({ type: 'divider', block_id: x(256) }),
    'must be less than 256 characters [json-pointer:/blocks/0/block_id]',
  ],
  [
    'a repeated block_id',
    () => ofBlocks({ type: 'divider', block_id: 'a' }, { type: 'divider', block_id: 'a' }),
    'block_id “a” exists already [json-pointer:/blocks/1/block_id]',
  ],
  ['an empty section', () => ofBlocks(section({})), 'missing required field: text [json-pointer:/blocks/0]'],
  [
    'a section whose text is a string',
    () => ofBlocks(section({ text: 'x' })),
    'must provide an object [json-pointer:/blocks/0/text]',
  ],
  [
    'a section with an empty text',
    () => ofBlocks(section({ text: marked('') })),
    'must be more than 0 characters [json-pointer:/blocks/0/text/text]',
  ],
  [
    'a section of 3,001 characters',
    () => ofBlocks(section({ text: marked(x(3001)) })),
    'must be less than 3001 characters [json-pointer:/blocks/0/text/text]',
  ],
  [
    'a text of an unknown type',
    () => ofBlocks(section({ text: { type: 'html', text: 'x' } })),
    'unsupported type: html [json-pointer:/blocks/0/text]',
  ],
  [
    'a text object without text',
    () => ofBlocks(section({ text: { type: 'mrkdwn' } })),
    'missing required field: text [json-pointer:/blocks/0/text]',
  ],
  [
    'mrkdwn with emoji',
    () => ofBlocks(section({ text: { ...marked('x'), emoji: true } })),
    'invalid additional property: emoji [json-pointer:/blocks/0/text]',
  ],
  [
    'plain text with verbatim',
    () => ofBlocks(section({ text: { ...plain('x'), verbatim: true } })),
    'invalid additional property: verbatim [json-pointer:/blocks/0/text]',
  ],
  [
    '11 fields',
    () => ofBlocks(section({ fields: many(11, () => marked('x')) })),
    'no more than 10 items allowed [json-pointer:/blocks/0/fields]',
  ],
  [
    'no fields',
    () => ofBlocks(section({ fields: [] })),
    'no fewer than 1 items allowed [json-pointer:/blocks/0/fields]',
  ],
  [
    'a field of 2,001 characters',
    () => ofBlocks(section({ fields: [marked('x'), marked(x(2001))] })),
    'must be less than 2001 characters [json-pointer:/blocks/0/fields/1/text]',
  ],
  [
    'an input as the accessory of a section',
    () => ofBlocks(section({ text: marked('x'), accessory: textInput() })),
    'unsupported type: plain_text_input [json-pointer:/blocks/0/accessory]',
  ],
  [
    'a header of 151 characters',
    () => ofBlocks({ type: 'header', text: plain(x(151)) }),
    'must be less than 151 characters [json-pointer:/blocks/0/text/text]',
  ],
  [
    'a header in mrkdwn',
    () => ofBlocks({ type: 'header', text: marked('x') }),
    'must be equal to constant [json-pointer:/blocks/0/text/type]',
  ],
  [
    'a header without text',
    () => ofBlocks({ type: 'header' }),
    'missing required field: text [json-pointer:/blocks/0]',
  ],
  [
    '26 actions',
    () => ofBlocks(actions(...many(26, () => button()))),
    'no more than 25 items allowed [json-pointer:/blocks/0/elements]',
  ],
  [
    'no actions',
    () => ofBlocks(actions()),
    'no fewer than 1 items allowed [json-pointer:/blocks/0/elements]',
  ],
  [
    'an input among actions',
    () => ofBlocks(actions(textInput())),
    'unsupported type: plain_text_input [json-pointer:/blocks/0/elements/0]',
  ],
  [
    'a repeated action_id',
    () => ofBlocks(actions(button({ action_id: 'a' }), button({ action_id: 'a' }))),
    'action_id “a” exists already [json-pointer:/blocks/0/elements/1/action_id]',
  ],
  [
    'an action_id of 256 characters',
    () => ofBlocks(actions(button({ action_id: x(256) }))),
    'must be less than 256 characters [json-pointer:/blocks/0/elements/0/action_id]',
  ],
  [
    '11 elements in a context',
    () => ofBlocks(context(...many(11, () => marked('x')))),
    'no more than 10 items allowed [json-pointer:/blocks/0/elements]',
  ],
  [
    'a button in a context',
    () => ofBlocks(context(button())),
    'unsupported type: button [json-pointer:/blocks/0/elements/0]',
  ],
  [
    'an image without a description',
    () => ofBlocks(without(image, 'alt_text')),
    'missing required field: alt_text [json-pointer:/blocks/0]',
  ],
  [
    'an image without a source',
    () => ofBlocks(without(image, 'image_url')),
    'missing required field: image_url [json-pointer:/blocks/0]',
  ],
  [
    'an image with two sources',
    () => ofBlocks({ ...image, slack_file: { id: 'F1' } }),
    'must match exactly one form [json-pointer:/blocks/0]',
  ],
  [
    'an image description of 2,001 characters',
    () => ofBlocks({ ...image, alt_text: x(2001) }),
    'must be less than 2001 characters [json-pointer:/blocks/0/alt_text]',
  ],
  [
    'an image URL of 3,001 characters',
    () => ofBlocks({ ...image, image_url: `https://${x(2993)}` }),
    'must be less than 3001 characters [json-pointer:/blocks/0/image_url]',
  ],
  [
    'a Slack file given by id and URL',
    () => ofBlocks({ ...without(image, 'image_url'), slack_file: { id: 'F1', url: 'https://a.test' } }),
    'must NOT have more than 1 properties [json-pointer:/blocks/0/slack_file]',
  ],
  [
    'markdown of 12,001 characters',
    () => ofBlocks({ type: 'markdown', text: x(12_001) }),
    'must be less than 12001 characters [json-pointer:/blocks/0/text]',
  ],
  [
    'a button of 76 characters',
    () => ofBlocks(actions(button({ text: plain(x(76)) }))),
    'must be less than 76 characters [json-pointer:/blocks/0/elements/0/text/text]',
  ],
  [
    'a button in mrkdwn',
    () => ofBlocks(actions(button({ text: marked('x') }))),
    'must be equal to constant [json-pointer:/blocks/0/elements/0/text/type]',
  ],
  [
    'a button without text',
    () => ofBlocks(actions({ type: 'button' })),
    'missing required field: text [json-pointer:/blocks/0/elements/0]',
  ],
  [
    'a button value of 2,001 characters',
    () => ofBlocks(actions(button({ value: x(2001) }))),
    'must be less than 2001 characters [json-pointer:/blocks/0/elements/0/value]',
  ],
  [
    'a button value that is a number',
    () => ofBlocks(actions(button({ value: 5 }))),
    'must provide a string [json-pointer:/blocks/0/elements/0/value]',
  ],
  [
    'a button URL of 3,001 characters',
    () => ofBlocks(actions(button({ url: `https://${x(2993)}` }))),
    'must be less than 3001 characters [json-pointer:/blocks/0/elements/0/url]',
  ],
  [
    'a button URL that is not valid',
    () => ofBlocks(actions(button({ url: '/p/1' }))),
    'must be a valid URL [json-pointer:/blocks/0/elements/0/url]',
  ],
  [
    'an unknown button style',
    () => ofBlocks(actions(button({ style: 'default' }))),
    'must be one of primary, danger [json-pointer:/blocks/0/elements/0/style]',
  ],
  [
    'an accessibility label of 76 characters',
    () => ofBlocks(actions(button({ accessibility_label: x(76) }))),
    'must be less than 76 characters [json-pointer:/blocks/0/elements/0/accessibility_label]',
  ],
  [
    'a confirmation title of 101 characters',
    () => ofBlocks(actions(button({ confirm: confirm({ title: plain(x(101)) }) }))),
    'must be less than 101 characters [json-pointer:/blocks/0/elements/0/confirm/title/text]',
  ],
  [
    'a confirmation text of 301 characters',
    () => ofBlocks(actions(button({ confirm: confirm({ text: marked(x(301)) }) }))),
    'must be less than 301 characters [json-pointer:/blocks/0/elements/0/confirm/text/text]',
  ],
  [
    'a confirm label of 31 characters',
    () => ofBlocks(actions(button({ confirm: confirm({ confirm: plain(x(31)) }) }))),
    'must be less than 31 characters [json-pointer:/blocks/0/elements/0/confirm/confirm/text]',
  ],
  [
    'a deny label of 31 characters',
    () => ofBlocks(actions(button({ confirm: confirm({ deny: plain(x(31)) }) }))),
    'must be less than 31 characters [json-pointer:/blocks/0/elements/0/confirm/deny/text]',
  ],
  [
    'a confirmation without a deny label',
    () => ofBlocks(actions(button({ confirm: without(confirm(), 'deny') }))),
    'missing required field: deny [json-pointer:/blocks/0/elements/0/confirm]',
  ],
  [
    '6 options in an overflow menu',
    () => ofBlocks(actions({ type: 'overflow', options: options(6) })),
    'no more than 5 items allowed [json-pointer:/blocks/0/elements/0/options]',
  ],
  [
    '101 options',
    () => ofBlocks(actions(select({ options: options(101) }))),
    'no more than 100 items allowed [json-pointer:/blocks/0/elements/0/options]',
  ],
  [
    'no options',
    () => ofBlocks(actions(select({ options: [] }))),
    'no fewer than 1 items allowed [json-pointer:/blocks/0/elements/0/options]',
  ],
  [
    'a select with neither options nor groups',
    () => ofBlocks(actions(select({}))),
    'must define either `options` or `option_groups` [json-pointer:/blocks/0/elements/0]',
  ],
  [
    'options together with option groups',
    () =>
      ofBlocks(
        actions(
          select({ options: options(1), option_groups: [{ label: plain('G'), options: [option('b')] }] }),
        ),
      ),
    'must define either `options` or `option_groups` [json-pointer:/blocks/0/elements/0]',
  ],
  [
    'a group label of 76 characters',
    () => ofBlocks(actions(select({ option_groups: [{ label: plain(x(76)), options: options(1) }] }))),
    'must be less than 76 characters [json-pointer:/blocks/0/elements/0/option_groups/0/label/text]',
  ],
  [
    'an option of 76 characters',
    () => ofBlocks(actions(select({ options: [option('a', { text: plain(x(76)) })] }))),
    'must be less than 76 characters [json-pointer:/blocks/0/elements/0/options/0/text/text]',
  ],
  [
    'an option value of 151 characters',
    () => ofBlocks(actions(select({ options: [option('a', { value: x(151) })] }))),
    'must be less than 151 characters [json-pointer:/blocks/0/elements/0/options/0/value]',
  ],
  [
    'an option description of 76 characters',
    () => ofBlocks(actions(select({ options: [option('a', { description: plain(x(76)) })] }))),
    'must be less than 76 characters [json-pointer:/blocks/0/elements/0/options/0/description/text]',
  ],
  [
    'an option in mrkdwn',
    () => ofBlocks(actions(select({ options: [option('a', { text: marked('a') })] }))),
    'must be equal to constant [json-pointer:/blocks/0/elements/0/options/0/text/type]',
  ],
  [
    'an option with a URL outside overflow menus',
    () => ofBlocks(actions(select({ options: [option('a', { url: 'https://a.test' })] }))),
    'invalid additional property: url [json-pointer:/blocks/0/elements/0/options/0]',
  ],
  [
    'a repeated option value',
    () => ofBlocks(actions(select({ options: [option('a'), option('b', { value: 'a' })] }))),
    'value “a” exists already [json-pointer:/blocks/0/elements/0/options/1/value]',
  ],
  [
    'an initial option that is not among the options',
    () => ofBlocks(actions(select({ options: options(2), initial_option: option('z') }))),
    'must be one of the options [json-pointer:/blocks/0/elements/0/initial_option]',
  ],
  [
    'initial options that are not among the options',
    () =>
      ofModalBlocks(
        input({ type: 'checkboxes', options: options(2), initial_options: [option('o0'), option('z')] }),
      ),
    'must be one of the options [json-pointer:/view/blocks/0/element/initial_options/1]',
  ],
  [
    '11 checkboxes',
    () => ofModalBlocks(input({ type: 'checkboxes', options: options(11) })),
    'no more than 10 items allowed [json-pointer:/view/blocks/0/element/options]',
  ],
  [
    '11 radio buttons',
    () => ofModalBlocks(input({ type: 'radio_buttons', options: options(11) })),
    'no more than 10 items allowed [json-pointer:/view/blocks/0/element/options]',
  ],
  [
    'a placeholder of 151 characters',
    () => ofModalBlocks(input(textInput({ placeholder: plain(x(151)) }))),
    'must be less than 151 characters [json-pointer:/view/blocks/0/element/placeholder/text]',
  ],
  [
    'a label of 2,001 characters',
    () => ofModalBlocks(input(textInput(), { label: plain(x(2001)) })),
    'must be less than 2001 characters [json-pointer:/view/blocks/0/label/text]',
  ],
  [
    'a label in mrkdwn',
    () => ofModalBlocks(input(textInput(), { label: marked('x') })),
    'must be equal to constant [json-pointer:/view/blocks/0/label/type]',
  ],
  [
    'a hint of 2,001 characters',
    () => ofModalBlocks(input(textInput(), { hint: plain(x(2001)) })),
    'must be less than 2001 characters [json-pointer:/view/blocks/0/hint/text]',
  ],
  [
    'an input without a label',
    () => ofModalBlocks({ type: 'input', element: textInput() }),
    'missing required field: label [json-pointer:/view/blocks/0]',
  ],
  [
    'an input without an element',
    () => ofModalBlocks({ type: 'input', label: plain('x') }),
    'missing required field: element [json-pointer:/view/blocks/0]',
  ],
  [
    'a button as an input',
    () => ofModalBlocks(input(button())),
    'unsupported type: button [json-pointer:/view/blocks/0/element]',
  ],
  [
    'a max_length of 3,001',
    () => ofModalBlocks(input(textInput({ max_length: 3001 }))),
    'must be <= 3000 [json-pointer:/view/blocks/0/element/max_length]',
  ],
  [
    'a max_length of 0',
    () => ofModalBlocks(input(textInput({ max_length: 0 }))),
    'must be >= 1 [json-pointer:/view/blocks/0/element/max_length]',
  ],
  [
    'a min_length above max_length',
    () => ofModalBlocks(input(textInput({ min_length: 5, max_length: 4 }))),
    'must not be more than max_length [json-pointer:/view/blocks/0/element/min_length]',
  ],
  [
    'a number input without is_decimal_allowed',
    () => ofModalBlocks(input({ type: 'number_input' })),
    'missing required field: is_decimal_allowed [json-pointer:/view/blocks/0/element]',
  ],
  [
    'a min_value above max_value',
    () =>
      ofModalBlocks(
        input({ type: 'number_input', is_decimal_allowed: false, min_value: '5', max_value: '4' }),
      ),
    'must not be more than max_value [json-pointer:/view/blocks/0/element/min_value]',
  ],
  [
    'a min_value that is not a string',
    () => ofModalBlocks(input({ type: 'number_input', is_decimal_allowed: false, min_value: 1 })),
    'must provide a string [json-pointer:/view/blocks/0/element/min_value]',
  ],
  [
    'a date in another format',
    () => ofModalBlocks(input({ type: 'datepicker', initial_date: '1.2.2026' })),
    'must match pattern "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$" [json-pointer:/view/blocks/0/element/initial_date]',
  ],
  [
    'a timestamp in milliseconds',
    () => ofModalBlocks(input({ type: 'datetimepicker', initial_date_time: 1_700_000_000_000 })),
    'must be <= 9999999999 [json-pointer:/view/blocks/0/element/initial_date_time]',
  ],
  [
    'a max_selected_items of 0',
    () => ofModalBlocks(input({ type: 'multi_users_select', max_selected_items: 0 })),
    'must be >= 1 [json-pointer:/view/blocks/0/element/max_selected_items]',
  ],
  [
    'a max_files of 11',
    () => ofModalBlocks(input({ type: 'file_input', max_files: 11 })),
    'must be <= 10 [json-pointer:/view/blocks/0/element/max_files]',
  ],
  [
    'an empty filter',
    () => ofModalBlocks(input({ type: 'conversations_select', filter: {} })),
    'must NOT have fewer than 1 properties [json-pointer:/view/blocks/0/element/filter]',
  ],
  [
    'two elements with focus_on_load',
    () => ofModalBlocks(...many(2, () => input(textInput({ focus_on_load: true })))),
    'only one element may have focus_on_load [json-pointer:/view/blocks/1/element]',
  ],
  [
    'an unknown dispatch trigger',
    () => ofModalBlocks(input(textInput({ dispatch_action_config: { trigger_actions_on: ['blur'] } }))),
    'must be one of on_enter_pressed, on_character_entered [json-pointer:/view/blocks/0/element/dispatch_action_config/trigger_actions_on/0]',
  ],
  [
    '101 blocks in a modal',
    () => ofModalBlocks(...many(101, () => ({ type: 'divider' }))),
    'no more than 100 items allowed [json-pointer:/view/blocks]',
  ],
  [
    'markdown in a modal',
    () => ofModalBlocks({ type: 'markdown', text: 'x' }),
    'unsupported type: markdown [json-pointer:/view/blocks/0]',
  ],
  [
    'a modal without a title',
    () => validateView('modal', { type: 'modal', blocks: [] }),
    'missing required field: title [json-pointer:/view]',
  ],
  [
    'a modal without blocks',
    () => validateView('modal', { type: 'modal', title: plain('x') }),
    'missing required field: blocks [json-pointer:/view]',
  ],
  [
    'a modal of type home',
    () => ofModal({ type: 'home' }),
    'must be equal to constant [json-pointer:/view/type]',
  ],
  [
    'a title of 25 characters',
    () => ofModal({ title: plain(x(25)) }),
    'must be less than 25 characters [json-pointer:/view/title/text]',
  ],
  [
    'a title in mrkdwn',
    () => ofModal({ title: marked('x') }),
    'must be equal to constant [json-pointer:/view/title/type]',
  ],
  [
    'a submit button of 25 characters',
    () => ofModal({ submit: plain(x(25)) }),
    'must be less than 25 characters [json-pointer:/view/submit/text]',
  ],
  [
    'a close button of 25 characters',
    () => ofModal({ close: plain(x(25)) }),
    'must be less than 25 characters [json-pointer:/view/close/text]',
  ],
  [
    'inputs without a submit button',
    () => validateView('modal', { type: 'modal', title: plain('x'), blocks: [input(textInput())] }),
    'missing required field: submit, because there is an input block [json-pointer:/view]',
  ],
  [
    'private metadata of 3,001 characters',
    () => ofModal({ private_metadata: x(3001) }),
    'must be less than 3001 characters [json-pointer:/view/private_metadata]',
  ],
  [
    'private metadata that is not a string',
    () => ofModal({ private_metadata: {} }),
    'must provide a string [json-pointer:/view/private_metadata]',
  ],
  [
    'a callback_id of 256 characters',
    () => ofModal({ callback_id: x(256) }),
    'must be less than 256 characters [json-pointer:/view/callback_id]',
  ],
  [
    'an external_id of 256 characters',
    () => ofModal({ external_id: x(256) }),
    'must be less than 256 characters [json-pointer:/view/external_id]',
  ],
  [
    'an unknown field of a modal',
    () => ofModal({ footer: 'x' }),
    'invalid additional property: footer [json-pointer:/view]',
  ],
  [
    '101 blocks in a home',
    () => ofHome({ blocks: many(101, () => ({ type: 'divider' })) }),
    'no more than 100 items allowed [json-pointer:/view/blocks]',
  ],
  [
    'a home with a title',
    () => ofHome({ title: plain('x') }),
    'invalid additional property: title [json-pointer:/view]',
  ],
  [
    'a message without a channel',
    () => validateMessage('posted', { text: 'x' }),
    'missing required field: channel [json-pointer:]',
  ],
  [
    'an unknown argument',
    () => ofMessage({ unfurl_link: false }),
    'invalid additional property: unfurl_link [json-pointer:]',
  ],
  [
    'a thread that is a number',
    () => ofMessage({ thread_ts: 1_700_000_000.5 }),
    'must provide a string [json-pointer:/thread_ts]',
  ],
  [
    'an unfurl_links that is not a boolean',
    () => ofMessage({ unfurl_links: 'never' }),
    'must provide a boolean [json-pointer:/unfurl_links]',
  ],
  [
    'a response of an unknown type',
    () => validateMessage('response', { text: 'x', response_type: 'public' }),
    'must be one of ephemeral, in_channel [json-pointer:/response_type]',
  ],
];

const accepted: [what: string, judge: () => string[]][] = [
  ['50 blocks in a message', () => ofBlocks(...many(50, () => ({ type: 'divider' })))],
  [
    'distinct block_ids of 255 characters',
    () => ofBlocks({ type: 'divider', block_id: x(255) }, { type: 'divider', block_id: 'b' }),
  ],
  ['a section of 3,000 characters', () => ofBlocks(section({ text: marked(x(3000)) }))],
  [
    'a section of 3,000 characters beyond the first plane',
    () => ofBlocks(section({ text: marked('🌷'.repeat(3000)) })),
  ],
  [
    '10 fields of 2,000 characters without a text',
    () => ofBlocks(section({ fields: many(10, () => marked(x(2000))) })),
  ],
  ['a header of 150 characters', () => ofBlocks({ type: 'header', text: { ...plain(x(150)), emoji: true } })],
  ['25 actions', () => ofBlocks(actions(...many(25, () => button())))],
  [
    '10 elements in a context, including images',
    () => ofBlocks(context(...many(9, () => marked('x')), image)),
  ],
  [
    'one action_id in two blocks',
    () => ofBlocks(actions(button({ action_id: 'a' })), actions(button({ action_id: 'a' }))),
  ],
  [
    'images from either source',
    () => ofBlocks(image, { ...without(image, 'image_url'), slack_file: { id: 'F1' }, title: plain('x') }),
  ],
  [
    'a button at its limits',
    () =>
      ofBlocks(
        actions(
          button({
            text: plain(x(75)),
            value: x(2000),
            url: `https://${x(2992)}`,
            style: 'danger',
            action_id: x(255),
            accessibility_label: x(75),
            confirm: confirm({
              title: plain(x(100)),
              text: plain(x(300)),
              confirm: plain(x(30)),
              deny: plain(x(30)),
              style: 'danger',
            }),
          }),
        ),
      ),
  ],
  [
    'an overflow menu with a URL',
    () =>
      ofBlocks(
        section({
          text: marked('x'),
          accessory: { type: 'overflow', options: [option('a', { url: 'https://a.test' })] },
        }),
      ),
  ],
  [
    '100 options, one of them initial',
    () =>
      ofBlocks(
        actions(select({ options: options(100), initial_option: option('o99'), placeholder: plain(x(150)) })),
      ),
  ],
  [
    'an initial option with its fields in another order',
    () =>
      ofBlocks(
        actions(
          select({
            options: [{ value: 'a', text: plain('a') }],
            initial_option: { text: { text: 'a', type: 'plain_text' }, value: 'a' },
          }),
        ),
      ),
  ],
  [
    'option groups',
    () => ofBlocks(actions(select({ option_groups: [{ label: plain('G'), options: options(3) }] }))),
  ],
  [
    'checkboxes in mrkdwn',
    () =>
      ofBlocks(
        actions({
          type: 'checkboxes',
          options: [option('a', { text: marked('*a*'), description: marked('b') })],
        }),
      ),
  ],
  [
    'date, time and datetime pickers',
    () =>
      ofBlocks(
        actions(
          { type: 'datepicker', initial_date: '2026-12-31' },
          { type: 'timepicker', initial_time: '23:59' },
          { type: 'datetimepicker', initial_date_time: 1_800_000_000 },
        ),
      ),
  ],
  [
    'every kind of select',
    () =>
      ofModalBlocks(
        actions(
          ...['users', 'conversations', 'channels', 'external'].flatMap((kind) => [
            { type: `${kind}_select` },
            { type: `multi_${kind}_select`, max_selected_items: 3 },
          ]),
        ),
      ),
  ],
  [
    'a text input at its limits',
    () =>
      ofModalBlocks(
        input(
          textInput({
            multiline: true,
            min_length: 3000,
            max_length: 3000,
            placeholder: plain(x(150)),
            focus_on_load: true,
            initial_value: x(3000),
          }),
          { label: plain(x(2000)), hint: plain(x(2000)), optional: true },
        ),
      ),
  ],
  [
    'the other inputs',
    () =>
      ofModalBlocks(
        ...[
          { type: 'number_input', is_decimal_allowed: true, min_value: '-1', max_value: '10' },
          { type: 'email_text_input' },
          { type: 'url_text_input' },
          { type: 'file_input', max_files: 1 },
          { type: 'rich_text_input' },
        ].map((element) => input(element)),
      ),
  ],
  [
    'rich text',
    () =>
      ofBlocks({
        type: 'rich_text',
        elements: [
          { type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] },
          { type: 'rich_text_list', style: 'bullet', elements: [] },
        ],
      }),
  ],
  ['markdown in a message', () => ofBlocks({ type: 'markdown', text: x(12_000) })],
  ['100 blocks in a modal', () => ofModalBlocks(...many(100, () => ({ type: 'divider' })))],
  [
    'a modal at its limits',
    () =>
      ofModal({
        title: plain(x(24)),
        submit: plain(x(24)),
        close: plain(x(24)),
        private_metadata: x(3000),
        callback_id: x(255),
        external_id: x(255),
        clear_on_close: true,
        notify_on_close: true,
      }),
  ],
  [
    'a modal without inputs and without a submit button',
    () => validateView('modal', { type: 'modal', title: plain('x'), blocks: [section()] }),
  ],
  [
    '100 blocks in a home',
    () => ofHome({ blocks: many(100, () => ({ type: 'divider' })), callback_id: 'home' }),
  ],
  [
    'a message in a thread',
    () =>
      ofMessage({
        thread_ts: '1700000000.000100',
        unfurl_links: false,
        unfurl_media: false,
        metadata: { event_type: 'push', event_payload: {} },
      }),
  ],
  [
    'a response that replaces the original',
    () => validateMessage('response', { replace_original: true, text: 'x', blocks: [section()] }),
  ],
];

describe('Slack’s documented limits for messages and views', () => {
  for (const [what, judge, complaint] of refused) {
    it(`refuse ${what}, and name the place`, () => {
      expect(judge()).to.include(complaint);
    });
  }

  for (const [what, judge] of accepted) {
    it(`accept ${what}`, () => {
      expect(judge()).to.deep.equal([]);
    });
  }

  it('report each fault once, with few exceptions', () => {
    const alone = refused.filter(([, judge]) => judge().length === 1);
    expect(alone.length).to.be.above(refused.length * 0.9);
  });
});
