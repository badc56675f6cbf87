import { type Fields, listOf, textOf } from '../../shared/json.ts';
import { broken, type Fault, fault } from './fault.ts';
import { buttonStyle, isSelect, type Placed, part, partsOf, repeatsOf } from './parts.ts';

/**
 * Faults in components that the schema cannot express.
 * https://docs.discord.com/developers/components/reference
 */
export function validateComponents(components: unknown): Fault[] {
  const placed = partsOf(components);
  return [
    ...repeatsOf(placed, 'custom_id').map(({ place, value }) => fault(place, `“${value}” is there already`)),
    ...repeatsOf(placed, 'id').map(({ place, value }) => fault(place, `${value} is there already`)),
    ...(placed.length > 40
      ? [fault(['components'], 'must be 40 or fewer, those inside of others included')]
      : []),
    ...placed.flatMap(faultsOfPart),
  ];
}

function faultsOfPart({ part: one, place }: Placed): Fault[] {
  if (one.type === part.row) return faultsOfRow(one, place);
  if (one.type === part.button) return faultsOfButton(one, place);
  const id = textOf(one.custom_id);
  const isEntered = isSelect(one) || one.type === part.textInput || Number(one.type) >= part.fileUpload;
  return [
    ...broken(
      [[isEntered && (id === '' || id.length > 100), 'custom_id', 'must be 1 to 100 in length']],
      place,
    ),
    ...faultsOfChoosing(one, place),
    ...(one.type === part.textInput ? faultsOfText(one, place) : []),
  ];
}

type Place = Placed['place'];

function faultsOfRow({ components }: Fields, place: Place): Fault[] {
  const inside = listOf(components);
  const hasLoner = inside.some((one) => isSelect(one) || one.type === part.textInput);
  if (hasLoner && inside.length > 1)
    return [fault([...place, 'components'], 'a select stands alone in its row')];
  const isWrong = inside.length === 0 || inside.length > 5;
  return broken([[isWrong, 'components', 'must be 1 to 5 in number']], place);
}

function faultsOfButton(one: Fields, place: Place): Fault[] {
  const has = (name: string) => one[name] !== undefined && one[name] !== null;
  if (one.style === buttonStyle.premium)
    return broken([[!has('sku_id'), 'sku_id', 'a premium button needs it']], place);
  const isLink = one.style === buttonStyle.link;
  return broken(
    [
      [!textOf(one.label) && !has('emoji'), 'label', 'a button needs a label or an emoji'],
      [textOf(one.label).length > 80, 'label', 'must be 80 or fewer in length'],
      [isLink && !has('url'), 'url', 'a link button needs it'],
      [isLink && has('custom_id'), 'custom_id', 'a link button cannot have one'],
      [!isLink && has('url'), 'url', 'only a link button can have one'],
      [!isLink && !textOf(one.custom_id), 'custom_id', 'a button needs it, unless it is a link'],
      [textOf(one.custom_id).length > 100, 'custom_id', 'must be 100 or fewer in length'],
      [has('url') && !isOpenable(one.url), 'url', 'must be an address with http, https or discord'],
      [textOf(one.url).length > 512, 'url', 'must be 512 or fewer in length'],
    ],
    place,
  );
}

function isOpenable(url: unknown): boolean {
  return URL.canParse(textOf(url)) && /^(https?|discord):/i.test(textOf(url));
}

function faultsOfChoosing(one: Fields, place: Place): Fault[] {
  const { options: given, min_values, max_values } = one;
  const options = listOf(given);
  const usual = one.type === part.checkboxGroup ? options.length : 1;
  const [least, most] = [Number(min_values ?? 1), Number(max_values ?? usual)];
  const chosen = options.filter((option) => option.default === true).length;
  const isFew = options.length >= 1 && options.length <= 25;
  return broken(
    [
      [
        new Set(options.map(({ value }) => value)).size < options.length,
        'options',
        'must have different values',
      ],
      [given !== undefined && !isFew, 'options', 'must be 1 to 25 in number'],
      [chosen > most, 'options', `no more than ${most} can be chosen beforehand`],
      [max_values !== undefined && least > most, 'min_values', 'must not be more than max_values'],
    ],
    place,
  );
}

function faultsOfText(one: Fields, place: Place): Fault[] {
  const [least, most] = [Number(one.min_length ?? 0), Number(one.max_length ?? 4000)];
  return broken(
    [
      [most > 4000, 'max_length', 'must be 4000 or fewer'],
      [least > most, 'min_length', 'must not be more than max_length'],
      [textOf(one.value).length > most, 'value', `must be ${most} or fewer in length`],
    ],
    place,
  );
}
