import { type Fields, fieldsOf, isFields, listOf, textOf } from '../../shared/json.ts';

/** A fault at a JSON pointer. */
export type Fault = { place: string; what: string };

/** Faults in blocks that a JSON schema cannot express. */
export function faultsOfBlocks(blocks: Fields[], place: string): Fault[] {
  const elements = blocks.flatMap((block, index) => elementsOf(block, `${place}/${index}`));
  return [
    ...repeatedIds(blocks, 'block_id', (index) => `${place}/${index}`),
    ...blocks.flatMap((block, index) => repeatedActions(block, `${place}/${index}`)),
    ...elements.flatMap(({ element, at }) => faultsOfElement(element, at)),
    ...elements
      .filter(({ element }) => element.focus_on_load === true)
      .slice(1)
      .map(({ at }) => ({ place: at, what: 'only one element may have focus_on_load' })),
  ];
}

/** Faults in a modal that a JSON schema cannot express. */
export function faultsOfModal(view: Fields): Fault[] {
  const hasInput = listOf(view.blocks).some((block) => block.type === 'input');
  return hasInput && view.submit === undefined
    ? [{ place: '', what: 'missing required field: submit, because there is an input block' }]
    : [];
}

type Placed = { element: Fields; at: string };

export function elementsOf(block: Fields, at: string): Placed[] {
  const listed = listOf(block.elements).map((element, index) => ({ element, at: `${at}/elements/${index}` }));
  const single = ['accessory', 'element'].flatMap((name) => {
    const element = block[name];
    return isFields(element) ? [{ element, at: `${at}/${name}` }] : [];
  });
  return block.type === 'rich_text' ? [] : [...listed, ...single];
}

function repeatedIds(items: Fields[], name: string, placeOf: (index: number) => string): Fault[] {
  const seen = new Set<unknown>();
  return items.flatMap((item, index) => {
    const id = item[name];
    if (id === undefined) return [];
    if (seen.has(id)) return [{ place: `${placeOf(index)}/${name}`, what: `${name} “${id}” exists already` }];
    seen.add(id);
    return [];
  });
}

function repeatedActions(block: Fields, at: string): Fault[] {
  const elements = elementsOf(block, at);
  return repeatedIds(
    elements.map(({ element }) => element),
    'action_id',
    (index) => elements[index]?.at ?? at,
  );
}

function faultsOfElement(element: Fields, at: string): Fault[] {
  const faults: Fault[] = [];
  const fault = (where: string, what: string) => faults.push({ place: `${at}${where}`, what });
  const type = textOf(element.type);
  const options = [
    ...listOf(element.options),
    ...listOf(element.option_groups).flatMap((one) => listOf(one.options)),
  ];

  if (
    type.endsWith('static_select') &&
    (element.options === undefined) === (element.option_groups === undefined)
  ) {
    fault('', 'must define either `options` or `option_groups`');
  }
  faults.push(...repeatedIds(options, 'value', (index) => `${at}/options/${index}`));
  if (!type.endsWith('external_select')) {
    const known = new Set(options.map((option) => JSON.stringify(sorted(option))));
    if (isFields(element.initial_option) && !known.has(JSON.stringify(sorted(element.initial_option)))) {
      fault('/initial_option', 'must be one of the options');
    }
    listOf(element.initial_options).forEach((option, index) => {
      if (!known.has(JSON.stringify(sorted(option))))
        fault(`/initial_options/${index}`, 'must be one of the options');
    });
  }
  if (Number(element.min_length) > Number(element.max_length)) {
    fault('/min_length', 'must not be more than max_length');
  }
  if (Number(element.min_value) > Number(element.max_value)) {
    fault('/min_value', 'must not be more than max_value');
  }
  return faults;
}

/** The object with sorted fields, so that equal objects have the same JSON. */
function sorted(value: unknown): unknown {
  if (!isFields(value)) return value;
  return Object.fromEntries(
    Object.keys(fieldsOf(value))
      .toSorted()
      .map((key) => [key, sorted(value[key])]),
  );
}
