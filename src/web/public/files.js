// The files of a push: chosen or dropped, checked against the limits, and taken out again.
const form = /** @type {HTMLFormElement} */ (document.getElementById('make'));
const field = /** @type {HTMLElement} */ (document.getElementById('attach'));
const input = /** @type {HTMLInputElement} */ (document.getElementById('files'));
const payload = /** @type {HTMLTextAreaElement} */ (document.getElementById('payload'));
const list = /** @type {HTMLElement} */ (document.getElementById('chosen'));
const sum = /** @type {HTMLElement} */ (document.getElementById('sum'));
const says = /** @type {Record<string, string>} */ ({ ...field.dataset });
const limits = {
  count: Number(says.countMax),
  file: Number(says.fileMax),
  total: Number(says.totalMax),
};
const numbers = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 });
const bytesLong = new Intl.NumberFormat(document.documentElement.lang, {
  style: 'unit',
  unit: 'byte',
  unitDisplay: 'long',
});

/** @type {File[]} */
let chosen = [];

input.addEventListener('change', () => add([...(input.files ?? [])]));
form.addEventListener('change', ({ target }) => {
  if (target instanceof HTMLInputElement && target.name === 'kind') chooseKind();
});
form.addEventListener('submit', (event) => {
  if (!isOfFiles() || chosen.length > 0) return;
  event.preventDefault();
  complain([says.none ?? '']);
  input.focus();
});
document.addEventListener('dragover', (event) => {
  if (!bringsFiles(event)) return;
  event.preventDefault();
  form.classList.add('over');
});
document.addEventListener('dragleave', ({ relatedTarget }) => {
  if (relatedTarget === null) form.classList.remove('over');
});
document.addEventListener('drop', (event) => {
  if (!bringsFiles(event)) return;
  event.preventDefault(); // else the browser opens the file, and leaves the page
  form.classList.remove('over');
  if (event.dataTransfer && !field.inert) drop(event.dataTransfer);
});
chooseKind();
add([...(input.files ?? [])]); // a browser that comes back to a page may remember what was chosen

/** @param {DragEvent} event */
function bringsFiles({ dataTransfer }) {
  return dataTransfer?.types.includes('Files') === true;
}

function isOfFiles() {
  return new FormData(form).get('kind') === 'file';
}

/** What is not sent is not asked for: files of another kind, or a message beside them. */
function chooseKind() {
  payload.required = !isOfFiles();
  input.disabled = !isOfFiles();
}

/** @param {DataTransfer} given */
function drop({ items }) {
  /** @type {File[]} */
  const files = [];
  const folders = [];
  for (const item of items) {
    const file = item.getAsFile();
    if (item.webkitGetAsEntry()?.isDirectory) folders.push(worded('folder', { name: file?.name ?? '' }));
    else if (file) files.push(file);
  }
  const kind = form.querySelector('[name=kind][value=file]');
  if (kind instanceof HTMLInputElement) kind.checked = true;
  chooseKind();
  add(files, folders);
}

/** Takes what fits, and says of the rest why it does not. @param {File[]} files @param {string[]} refused */
function add(files, refused = []) {
  for (const file of files) {
    const problem = problemOf(file);
    if (problem === undefined) chosen.push(file);
    else if (!refused.includes(problem)) refused.push(problem);
  }
  show();
  complain(refused);
}

/** @param {File} file */
function problemOf({ name, size }) {
  if (chosen.length >= limits.count) return says.tooMany;
  if (size > limits.file) return worded('tooLarge', { name, size: sizeOf(size) });
  if (total() + size > limits.total) return worded('tooMuch', { name });
  return undefined;
}

/** The field holds what is in the list, so a form that is sent without this script sends the same. */
function show() {
  const held = new DataTransfer();
  for (const file of chosen) held.items.add(file);
  input.files = held.files;
  list.replaceChildren(...chosen.map(entry));
  list.hidden = chosen.length === 0;
  const count = numbers.format(chosen.length);
  sum.textContent = chosen.length === 0 ? '' : worded('sum', { count, size: sizeOf(total()) });
}

/** @param {File} file */
function entry(file) {
  const item = document.createElement('li');
  const name = document.createElement('bdi');
  name.textContent = file.name;
  const size = document.createElement('span');
  size.className = 'soft small';
  size.textContent = sizeOf(file.size);
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = '×';
  button.ariaLabel = button.title = worded('remove', { name: file.name });
  button.addEventListener('click', () => remove(file));
  item.append(name, size, button);
  return item;
}

/** The keyboard stays where it was, on the file that comes next. @param {File} file */
function remove(file) {
  const at = chosen.indexOf(file);
  chosen = chosen.filter((each) => each !== file);
  show();
  complain([]);
  sum.textContent = `${worded('removed', { name: file.name })} ${sum.textContent}`;
  const buttons = list.querySelectorAll('button');
  (buttons[Math.min(at, buttons.length - 1)] ?? input).focus();
}

function total() {
  return chosen.reduce((bytes, { size }) => bytes + size, 0);
}

/** @param {string[]} problems */
function complain(problems) {
  document.getElementById('files-problem')?.remove();
  input.ariaInvalid = problems.length === 0 ? null : 'true';
  if (problems.length > 0) mark(field, 'files', problems.join(' '));
}

/** @param {Element} place @param {string} name @param {string} text */
function mark(place, name, text) {
  const problem = document.createElement('p');
  problem.id = `${name}-problem`;
  problem.className = 'hint wrong';
  problem.role = 'alert';
  problem.textContent = text;
  place.append(problem);
}

/** @param {string} name @param {Record<string, string>} values */
function worded(name, values) {
  return (says[name] ?? '').replace(/\{(\w+)\}/g, (_, key) => values[key] ?? '');
}

/** As pages of ours write sizes. @param {number} bytes */
function sizeOf(bytes) {
  const units = ['KiB', 'MiB', 'GiB'];
  const step = Math.min(units.length, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  return step === 0 ? bytesLong.format(bytes) : `${numbers.format(bytes / 1024 ** step)} ${units[step - 1]}`;
}
