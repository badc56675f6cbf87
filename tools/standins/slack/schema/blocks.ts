import {
  anyText,
  list,
  markdownText,
  oneOf,
  plainText,
  type Schema,
  shape,
  slackFile,
  text,
  url,
  yesOrNo,
} from './composition.ts';
import {
  accessories,
  actionElements,
  feedbackButtons,
  iconButton,
  image as imageElement,
  inputElements,
} from './elements.ts';

// Limits from https://docs.slack.dev/reference/block-kit/blocks/<name>-block. Left out are kinds
// that our bot does not send: file (only Slack creates it), video, table, card, carousel, container, plan.

const id = { block_id: text(255) };

const section: Schema = {
  ...shape('section', [], {
    ...id,
    text: anyText(3000),
    fields: list(anyText(2000), 10),
    accessory: oneOf(...accessories),
    expand: yesOrNo,
  }),
  anyOf: [{ required: ['text'] }, { required: ['fields'] }],
};

const image: Schema = {
  ...shape('image', ['alt_text'], {
    ...id,
    alt_text: text(2000),
    title: plainText(2000),
    image_url: url,
    slack_file: slackFile,
  }),
  oneOf: [{ required: ['image_url'] }, { required: ['slack_file'] }],
};

const common = [
  section,
  image,
  shape('divider', [], id),
  shape('header', ['text'], { ...id, text: plainText(150) }),
  shape('actions', ['elements'], { ...id, elements: list(oneOf(...actionElements), 25) }),
  shape('context', ['elements'], {
    ...id,
    elements: list(oneOf(imageElement, plainText(3000), markdownText(3000)), 10),
  }),
  shape('input', ['label', 'element'], {
    ...id,
    label: plainText(2000),
    hint: plainText(2000),
    optional: yesOrNo,
    dispatch_action: yesOrNo,
    element: oneOf(...inputElements),
  }),
  shape('rich_text', ['elements'], {
    ...id,
    elements: list(
      oneOf(
        ...['rich_text_section', 'rich_text_list', 'rich_text_preformatted', 'rich_text_quote'].map((type) =>
          shape(type, ['elements'], {
            elements: { type: 'array', items: { type: 'object', required: ['type'] } },
            style: { enum: ['bullet', 'ordered'] },
            indent: { type: 'integer', minimum: 0, maximum: 8 },
            offset: { type: 'integer', minimum: 0 },
            border: { enum: [0, 1] },
          }),
        ),
      ),
      100,
    ),
  }),
];

const onlyInMessages = [
  shape('markdown', ['text'], { ...id, text: text(12_000) }),
  shape('context_actions', ['elements'], { ...id, elements: list(oneOf(feedbackButtons, iconButton), 5) }),
];

/** https://docs.slack.dev/reference/block-kit/blocks: 50 blocks in a message, 100 in a modal or an App Home. */
export const messageBlocks = list(oneOf(...common, ...onlyInMessages), 50, 0);
export const viewBlocks = list(oneOf(...common), 100, 0);
