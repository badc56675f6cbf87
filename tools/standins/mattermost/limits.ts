import { type Fields, fieldsOf, listOf, textOf } from '../shared/json.ts';

const bytesOf = (text: unknown): number => Buffer.byteLength(textOf(text));

/** PostMessageMaxRunesV2 and PostPropsMaxRunes (server/public/model/post.go). */
const messageMax = 16_383;
const propsMax = 800_000;

/** What Mattermost refuses about a post, or shows wrongly. */
export function postProblems(message: unknown, attachments: unknown): string[] {
  const actions = listOf(attachments).flatMap((each) => listOf(each.actions));
  const ids = actions.map(({ id }) => textOf(id));
  return [
    ...([...textOf(message)].length > messageMax ? ['the message is too long'] : []),
    ...(JSON.stringify(attachments ?? []).length > propsMax ? ['the props are too long'] : []),
    ...(textOf(message) === '' && listOf(attachments).length === 0 ? ['the post is empty'] : []),
    ...(new Set(ids).size < ids.length ? ['two actions have the same id'] : []),
    ...actions.flatMap(actionProblems),
  ];
}

const styles = ['', 'default', 'primary', 'success', 'good', 'warning', 'danger'];

/** The router takes `[A-Za-z0-9]+` (api4/integration_action.go); the rest is PostAction.IsValid. */
function actionProblems({ id, type, name, style, integration }: Fields): string[] {
  const { url, context } = fieldsOf(integration);
  return [
    ...(/^[A-Za-z0-9]+$/.test(textOf(id)) ? [] : [`the action id “${id}” is not part of an address`]),
    ...(type === 'button' ? [] : [`the action type ${type} is unknown`]),
    ...(textOf(name) === '' ? ['an action has no name'] : []),
    ...(styles.includes(textOf(style)) ? [] : [`the style ${style} is unknown`]),
    ...(/^https?:\/\//.test(textOf(url)) ? [] : ['an action has no address']),
    ...(Object.keys(fieldsOf(context)).length <= 1 ? [] : ['the keys of a context are sorted: seal a text']),
  ];
}

const [titleMax, labelMax, nameMax, helpMax, textMax, textareaMax] = [24, 24, 300, 150, 150, 3_000];

/** Dialog.IsValid and DialogElement.IsValid (server/public/model/integration_action.go). Lengths are in bytes. */
export function dialogProblems({ title, elements, icon_url }: Fields): string[] {
  const names = listOf(elements).map(({ name }) => textOf(name));
  return [
    ...(bytesOf(title) === 0 || bytesOf(title) > titleMax
      ? [`the title “${title}” has not 1 to 24 bytes`]
      : []),
    ...(icon_url === undefined ? [] : ['icons are not checked here']),
    ...(new Set(names).size < names.length ? ['two elements have the same name'] : []),
    ...listOf(elements).flatMap((each) => elementProblems(each).map((problem) => `${each.name}: ${problem}`)),
  ];
}

function elementProblems(element: Fields): string[] {
  const { display_name, name, help_text, type, multiselect, min_length = 0, max_length = 0 } = element;
  return [
    ...(bytesOf(display_name) === 0 || bytesOf(display_name) > labelMax
      ? ['its label has not 1 to 24 bytes']
      : []),
    ...(bytesOf(name) === 0 || bytesOf(name) > nameMax ? ['its name has not 1 to 300 bytes'] : []),
    ...(bytesOf(help_text) > helpMax ? ['its help has more than 150 bytes'] : []),
    ...(Number(min_length) > Number(max_length) ? ['its lengths are reversed'] : []),
    ...(multiselect === true && type !== 'select' ? ['only selects take several'] : []),
    ...valueProblems(element),
  ];
}

function valueProblems({
  type,
  default: initial,
  placeholder,
  data_source,
  options,
  multiselect,
}: Fields): string[] {
  const max = { text: textMax, textarea: textareaMax, select: textareaMax }[textOf(type)];
  if (max === undefined) return [`the type ${type} is unknown`];
  const values = listOf(options).map(({ value }) => textOf(value));
  const chosen = multiselect === true ? textOf(initial).split(',') : [textOf(initial)];
  const isKnown = (value: string) => value === '' || data_source === 'users' || values.includes(value);
  return [
    ...(bytesOf(initial) > max ? ['its default is too long'] : []),
    ...(bytesOf(placeholder) > max ? ['its placeholder is too long'] : []),
    ...(type === 'select' && !chosen.every(isKnown) ? [`its default ${initial} is no option`] : []),
    ...(type === 'select' && !['', 'users'].includes(textOf(data_source)) ? ['its source is unknown'] : []),
  ];
}
