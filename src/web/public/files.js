// The files of a push: chosen, dropped or pasted, checked against the limits, and removed again. One module, because
// all of it works on one list.
import { safeFilename } from '../../client/safeFilename.js';
import { sizeOf } from './parts/sizes.js';

const form = /** @type {HTMLFormElement} */ (document.getElementById('new-push'));
const field = /** @type {HTMLElement} */ (document.getElementById('file-field'));
const input = /** @type {HTMLInputElement} */ (document.getElementById('files'));
const payload = /** @type {HTMLTextAreaElement | null} */ (document.getElementById('payload'));
const kind = /** @type {HTMLSelectElement | null} */ (document.getElementById('kind'));
const list = /** @type {HTMLElement} */ (document.getElementById('selected-files'));
const summary = /** @type {HTMLElement} */ (document.getElementById('files-summary'));
const messages = /** @type {Record<string, string>} */ (field.dataset);
const limits = {
  count: Number(messages.countMax),
  file: Number(messages.fileMax),
  total: Number(messages.totalMax),
};
const numbers = new Intl.NumberFormat(document.documentElement.lang, { maximumFractionDigits: 1 });

/** @type {File[]} */
let selected = [];

input.addEventListener('change', () => add([...(input.files ?? [])]));
document.addEventListener('dragover', (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault();
  form.classList.add('dragging');
});
document.addEventListener('dragleave', ({ relatedTarget }) => {
  if (relatedTarget === null) form.classList.remove('dragging');
});
document.addEventListener('drop', (event) => {
  if (!hasFiles(event)) return;
  event.preventDefault(); // otherwise the browser opens the file
  form.classList.remove('dragging');
  if (event.dataTransfer && !field.inert) drop(event.dataTransfer);
});
document.addEventListener('paste', (event) => {
  const { clipboardData } = event;
  const isFile = clipboardData?.types.includes('Files') && !clipboardData.types.includes('text/plain');
  if (!clipboardData || !isFile || field.inert) return;
  event.preventDefault();
  drop(clipboardData);
});
add([...(input.files ?? [])]); // browsers may restore the choice on going back

/** @param {DragEvent} event */
function hasFiles({ dataTransfer }) {
  return dataTransfer?.types.includes('Files') === true;
}

/** @param {DataTransfer} transfer */
function drop({ items }) {
  /** @type {File[]} */
  const files = [];
  const folders = [];
  for (const item of items) {
    const file = item.getAsFile();
    if (item.webkitGetAsEntry()?.isDirectory) folders.push(format('folder', { name: file?.name ?? '' }));
    else if (file) files.push(file);
  }
  add(files, folders);
}

/** Adds the files that fit and shows why the others do not. @param {File[]} files @param {string[]} problems */
function add(files, problems = []) {
  for (const file of files) {
    const problem = problemOf(file);
    if (problem === undefined) selected.push(file);
    else if (!problems.includes(problem)) problems.push(problem);
  }
  update();
  showProblems(problems);
}

/** @param {File} file */
function problemOf({ name, size }) {
  if (selected.length >= limits.count) return messages.tooMany;
  if (size > limits.file) return format('tooLarge', { name, size: sizeOf(size) });
  if (total() + size > limits.total) return format('tooMuch', { name });
  return undefined;
}

/** Keeps the input equal to the list, so that submitting the form sends the list. Beside files, a text may be empty. */
function update() {
  const transfer = new DataTransfer();
  for (const file of selected) transfer.items.add(file);
  input.files = transfer.files;
  list.replaceChildren(...selected.map(itemFor));
  list.hidden = selected.length === 0;
  if (payload) payload.required = selected.length === 0;
  if (kind && selected.length > 0) kind.value = 'text'; // and is hidden
  const count = numbers.format(selected.length);
  summary.textContent = selected.length === 0 ? '' : format('summary', { count, size: sizeOf(total()) });
}

/** @param {File} file */
function itemFor(file) {
  const item = document.createElement('li');
  const button = newElement('button', 'text-button', '×');
  button.type = 'button';
  button.ariaLabel = button.title = format('remove', { name: file.name });
  button.addEventListener('click', () => remove(file));
  const name = newElement('bdi', '', safeFilename(file.name));
  item.append(name, newElement('span', 'muted small', sizeOf(file.size)), button);
  return item;
}

/** @template {keyof HTMLElementTagNameMap} Tag @param {Tag} tag @param {string} className @param {string} textContent */
const newElement = (tag, className, textContent) =>
  Object.assign(document.createElement(tag), { className, textContent });

/** Moves the focus to the next file. @param {File} file */
function remove(file) {
  const index = selected.indexOf(file);
  selected = selected.filter((other) => other !== file);
  update();
  showProblems([]);
  summary.textContent = `${format('removed', { name: file.name })} ${summary.textContent}`;
  const buttons = list.querySelectorAll('button');
  (buttons[Math.min(index, buttons.length - 1)] ?? input).focus();
}

function total() {
  return selected.reduce((bytes, { size }) => bytes + size, 0);
}

/** @param {string[]} problems */
function showProblems(problems) {
  document.getElementById('files-problem')?.remove();
  input.ariaInvalid = problems.length === 0 ? null : 'true';
  if (problems.length === 0) return;
  const problem = newElement('p', 'hint field-error', problems.join(' '));
  field.append(Object.assign(problem, { id: 'files-problem', role: 'alert' }));
}

/** @param {string} name @param {Record<string, string>} values */
function format(name, values) {
  return (messages[name] ?? '').replace(/\{(\w+)\}/g, (_, key) => values[key] ?? '');
}
