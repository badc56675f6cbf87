/** Part of a JSON schema (2020-12). */
export type Schema = Readonly<Record<string, unknown>>;

export const yesOrNo: Schema = { type: 'boolean' };

export function text(maxLength: number, minLength = 1): Schema {
  return { type: 'string', minLength, maxLength };
}

export function list(items: Schema, maxItems: number, minItems = 1): Schema {
  return { type: 'array', items, minItems, maxItems };
}

export function whole(minimum: number, maximum: number): Schema {
  return { type: 'integer', minimum, maximum };
}

/** A URL with a maximum length. */
export const url: Schema = { type: 'string', maxLength: 3000, format: 'web-address' };

/** An object with only these fields, which are optional unless `required`. */
export function shape(type: string, required: string[], fields: Record<string, Schema>): Schema {
  return {
    type: 'object',
    required: ['type', ...required],
    properties: { type: { const: type }, ...fields },
    additionalProperties: false,
  };
}

/** One of several shapes, by their `type`. */
export function oneOf(...shapes: Schema[]): Schema {
  return { type: 'object', required: ['type'], discriminator: { propertyName: 'type' }, oneOf: shapes };
}

/** https://docs.slack.dev/reference/block-kit/composition-objects/text-object: 1 to 3,000 characters, or less by place. */
export function plainText(maxLength: number): Schema {
  return shape('plain_text', ['text'], { text: text(maxLength), emoji: yesOrNo });
}

export function markdownText(maxLength: number): Schema {
  return shape('mrkdwn', ['text'], { text: text(maxLength), verbatim: yesOrNo });
}

export function anyText(maxLength: number): Schema {
  return oneOf(plainText(maxLength), markdownText(maxLength));
}

/** https://docs.slack.dev/reference/block-kit/composition-objects/confirmation-dialog-object */
export const confirm: Schema = {
  type: 'object',
  required: ['title', 'text', 'confirm', 'deny'],
  properties: {
    title: plainText(100),
    text: anyText(300),
    confirm: plainText(30),
    deny: plainText(30),
    style: { enum: ['primary', 'danger'] },
  },
  additionalProperties: false,
};

/** https://docs.slack.dev/reference/block-kit/composition-objects/option-object; with a `url` only in overflow menus. */
function option(label: Schema, description: Schema, more: Record<string, Schema> = {}): Schema {
  return {
    type: 'object',
    required: ['text', 'value'],
    properties: { text: label, value: text(150), description, ...more },
    additionalProperties: false,
  };
}

export const menuOption = option(plainText(75), plainText(75));
export const overflowOption = option(plainText(75), plainText(75), { url });
export const boxOption = option(anyText(75), anyText(75));

/** https://docs.slack.dev/reference/block-kit/composition-objects/option-group-object */
export const optionGroup: Schema = {
  type: 'object',
  required: ['label', 'options'],
  properties: { label: plainText(75), options: list(menuOption, 100) },
  additionalProperties: false,
};

/** https://docs.slack.dev/reference/block-kit/composition-objects/conversation-filter-object */
export const conversationFilter: Schema = {
  type: 'object',
  minProperties: 1,
  properties: {
    include: list({ enum: ['im', 'mpim', 'private', 'public'] }, 4),
    exclude_external_shared_channels: yesOrNo,
    exclude_bot_users: yesOrNo,
  },
  additionalProperties: false,
};

/** https://docs.slack.dev/reference/block-kit/composition-objects/dispatch-action-configuration-object */
export const dispatchConfig: Schema = {
  type: 'object',
  properties: { trigger_actions_on: list({ enum: ['on_enter_pressed', 'on_character_entered'] }, 2) },
  additionalProperties: false,
};

/** https://docs.slack.dev/reference/block-kit/composition-objects/slack-file-object: by id or by URL, never both. */
export const slackFile: Schema = {
  type: 'object',
  minProperties: 1,
  maxProperties: 1,
  properties: { id: text(255), url },
  additionalProperties: false,
};
