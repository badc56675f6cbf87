import {
  boxOption,
  confirm,
  conversationFilter,
  dispatchConfig,
  list,
  menuOption,
  optionGroup,
  overflowOption,
  plainText,
  type Schema,
  shape,
  slackFile,
  text,
  url,
  whole,
  yesOrNo,
} from './composition.ts';

// Limits from https://docs.slack.dev/reference/block-kit/block-elements/<name>-element, and from
// https://docs.slack.dev/reference/block-kit/block-elements/<name>-menu-element for menus.

const id = { action_id: text(255) };
const confirmed = { ...id, confirm };
const focused = { focus_on_load: yesOrNo };
const hinted = { placeholder: plainText(150) };
const ids = (max = 100) => list(text(255), max);
const style = { enum: ['primary', 'danger'] };
const upTo = { max_selected_items: whole(1, 1000) };
const menu = { ...confirmed, ...focused, ...hinted };
const dispatching = { ...id, ...focused, ...hinted, dispatch_action_config: dispatchConfig };

const button = shape('button', ['text'], {
  ...confirmed,
  text: plainText(75),
  value: text(2000),
  url,
  style,
  accessibility_label: text(75),
});

export const image: Schema = {
  ...shape('image', ['alt_text'], { image_url: url, slack_file: slackFile, alt_text: text(2000) }),
  oneOf: [{ required: ['image_url'] }, { required: ['slack_file'] }],
};

const overflow = shape('overflow', ['options'], { ...confirmed, options: list(overflowOption, 5) });

export const iconButton = shape('icon_button', ['icon', 'text'], {
  ...confirmed,
  icon: { enum: ['trash'] },
  text: plainText(75),
  value: text(2000),
  accessibility_label: text(75),
  visible_to_user_ids: ids(),
});

const feedback = {
  type: 'object',
  required: ['text', 'value'],
  properties: { text: plainText(75), value: text(2000), accessibility_label: text(75) },
  additionalProperties: false,
};

export const feedbackButtons = shape('feedback_buttons', ['positive_button', 'negative_button'], {
  ...id,
  positive_button: feedback,
  negative_button: feedback,
});

const checkboxes = shape('checkboxes', ['options'], {
  ...confirmed,
  ...focused,
  options: list(boxOption, 10),
  initial_options: list(boxOption, 10),
});

const radioButtons = shape('radio_buttons', ['options'], {
  ...confirmed,
  ...focused,
  options: list(boxOption, 10),
  initial_option: boxOption,
});

const datepicker = shape('datepicker', [], {
  ...menu,
  initial_date: { type: 'string', pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' },
});

const timepicker = shape('timepicker', [], {
  ...menu,
  initial_time: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' },
  timezone: text(255),
});

const datetimepicker = shape('datetimepicker', [], {
  ...confirmed,
  ...focused,
  initial_date_time: whole(1_000_000_000, 9_999_999_999),
});

const choices = { options: list(menuOption, 100), option_groups: list(optionGroup, 100) };
const responding = { response_url_enabled: yesOrNo };
const filtered = { default_to_current_conversation: yesOrNo, filter: conversationFilter };
const queried = { min_query_length: whole(0, 100) };

const selects = [
  shape('static_select', [], { ...menu, ...choices, initial_option: menuOption }),
  shape('external_select', [], { ...menu, ...queried, initial_option: menuOption }),
  shape('users_select', [], { ...menu, initial_user: text(255) }),
  shape('conversations_select', [], {
    ...menu,
    ...filtered,
    ...responding,
    initial_conversation: text(255),
  }),
  shape('channels_select', [], { ...menu, ...responding, initial_channel: text(255) }),
];

const multiSelects = [
  shape('multi_static_select', [], { ...menu, ...upTo, ...choices, initial_options: list(menuOption, 100) }),
  shape('multi_external_select', [], {
    ...menu,
    ...upTo,
    ...queried,
    initial_options: list(menuOption, 100),
  }),
  shape('multi_users_select', [], { ...menu, ...upTo, initial_users: ids() }),
  shape('multi_conversations_select', [], {
    ...menu,
    ...upTo,
    ...filtered,
    initial_conversations: ids(),
  }),
  shape('multi_channels_select', [], { ...menu, ...upTo, initial_channels: ids() }),
];

const plainTextInput = shape('plain_text_input', [], {
  ...dispatching,
  initial_value: text(3000),
  multiline: yesOrNo,
  min_length: whole(0, 3000),
  max_length: whole(1, 3000),
});

const numberInput = shape('number_input', ['is_decimal_allowed'], {
  ...dispatching,
  is_decimal_allowed: yesOrNo,
  initial_value: text(100),
  min_value: text(100),
  max_value: text(100),
});

const emailInput = shape('email_text_input', [], { ...dispatching, initial_value: text(3000) });
const urlInput = shape('url_text_input', [], { ...dispatching, initial_value: text(3000) });
const fileInput = shape('file_input', [], { ...id, filetypes: ids(), max_files: whole(1, 10) });

const richTextInput = shape('rich_text_input', [], {
  ...dispatching,
  initial_value: { type: 'object' },
  min_lines: whole(1, 100),
  max_lines: whole(1, 100),
});

const pickers = [checkboxes, radioButtons, datepicker, timepicker, ...selects, ...multiSelects];

/** The elements allowed as the accessory of a section. */
export const accessories = [button, image, overflow, ...pickers];
export const actionElements = [button, overflow, datetimepicker, richTextInput, ...pickers];
export const inputElements = [
  plainTextInput,
  numberInput,
  emailInput,
  urlInput,
  fileInput,
  richTextInput,
  datetimepicker,
  ...pickers,
];
