// Counts the checkboxes of a form that are checked, and checks them all. The buttons that need some are hidden by CSS.
const all = /** @type {HTMLInputElement | null} */ (document.getElementById('select-all'));
const count = document.getElementById('selected-count');
/** @type {NodeListOf<HTMLInputElement>} */
const boxes = document.querySelectorAll('.selection [name=push]');

function update() {
  const { length } = [...boxes].filter((box) => box.checked);
  if (count) count.textContent = length === 0 ? '' : (count.dataset.text ?? '').replace('#', String(length));
  if (!all) return;
  all.checked = length > 0 && length === boxes.length;
  all.indeterminate = length > 0 && length < boxes.length;
}

all?.addEventListener('change', () => {
  for (const box of boxes) box.checked = all.checked;
  update();
});
for (const box of boxes) box.addEventListener('change', update);
window.addEventListener('pageshow', update); // browsers restore what was checked
