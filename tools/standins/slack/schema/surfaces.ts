import { messageBlocks, viewBlocks } from './blocks.ts';
import { plainText, type Schema, text, yesOrNo } from './composition.ts';

const common = {
  private_metadata: text(3000, 0),
  callback_id: text(255, 0),
  external_id: text(255, 0),
  blocks: viewBlocks,
};

/** https://docs.slack.dev/reference/views/modal-views */
export const modal: Schema = {
  type: 'object',
  required: ['type', 'title', 'blocks'],
  properties: {
    type: { const: 'modal' },
    title: plainText(24),
    submit: plainText(24),
    close: plainText(24),
    clear_on_close: yesOrNo,
    notify_on_close: yesOrNo,
    ...common,
  },
  additionalProperties: false,
};

/** https://docs.slack.dev/reference/views/home-tab-views */
export const home: Schema = {
  type: 'object',
  required: ['type', 'blocks'],
  properties: { type: { const: 'home' }, ...common },
  additionalProperties: false,
};

const content = {
  text: { type: 'string' },
  blocks: messageBlocks,
  attachments: { type: 'array' },
  markdown_text: text(12_000),
  mrkdwn: yesOrNo,
  parse: { enum: ['none', 'full'] },
  link_names: yesOrNo,
};
const target = { channel: text(255), token: text(255), team_id: text(255) };
const ts = { type: 'string', pattern: '^\\d{10}\\.\\d{6}$' };
const unfurls = { unfurl_links: yesOrNo, unfurl_media: yesOrNo };
const metadata = { type: 'object', required: ['event_type', 'event_payload'] };

function message(required: string[], properties: Record<string, Schema>): Schema {
  return { type: 'object', required, properties: { ...content, ...properties }, additionalProperties: false };
}

/** https://docs.slack.dev/reference/methods/chat.postMessage */
export const posted = message(['channel'], {
  ...target,
  ...unfurls,
  thread_ts: ts,
  reply_broadcast: yesOrNo,
  metadata,
  username: text(255),
  icon_emoji: text(255),
  icon_url: text(3000),
});

/** https://docs.slack.dev/reference/methods/chat.postEphemeral */
export const whispered = message(['channel', 'user'], {
  ...target,
  user: text(255),
  thread_ts: ts,
  username: text(255),
  icon_emoji: text(255),
  icon_url: text(3000),
});

/** https://docs.slack.dev/reference/methods/chat.update */
export const updated = message(['channel', 'ts'], {
  ...target,
  ...unfurls,
  ts,
  metadata,
  reply_broadcast: yesOrNo,
});

/** https://docs.slack.dev/interactivity/handling-user-interaction#message_responses, for an acknowledgement also. */
export const response = message([], {
  ...unfurls,
  response_type: { enum: ['ephemeral', 'in_channel'] },
  replace_original: yesOrNo,
  delete_original: yesOrNo,
  thread_ts: ts,
  metadata,
});
