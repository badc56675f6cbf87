// Buttons that take a text away, exactly as it was given: `data-copies` and `data-downloads` name the element it is in.
for (const button of document.querySelectorAll('button[data-copies]')) {
  if (button instanceof HTMLButtonElement) button.addEventListener('click', () => copy(button));
}
for (const button of document.querySelectorAll('button[data-downloads]')) {
  if (button instanceof HTMLButtonElement) button.addEventListener('click', () => download(button));
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  const source = document.getElementById(button.dataset.copies ?? '');
  if (!source) return;
  const isCopied = await write(exactText(source), source);
  const said = document.getElementById('said');
  if (said) said.textContent = (isCopied ? button.dataset.done : button.dataset.failed) ?? '';
  if (!isCopied) return;
  const label = button.textContent;
  button.textContent = button.dataset.done ?? label;
  window.setTimeout(() => {
    button.textContent = label;
    if (said) said.textContent = '';
  }, 2_000);
}

/** HTML changes some characters, such as a carriage return; where there are any, the text stands in `data-exact` as JSON. @param {HTMLElement} source */
function exactText(source) {
  const exact = document.querySelector(`[data-exact="${source.id}"]`);
  if (exact instanceof HTMLDataElement) return String(JSON.parse(exact.value));
  if (source instanceof HTMLInputElement || source instanceof HTMLTextAreaElement) return source.value;
  return source.textContent ?? '';
}

/** The clipboard is there for pages over https alone; elsewhere the old way has to do. @param {string} text @param {HTMLElement} source */
async function write(text, source) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const scratch = document.createElement('textarea');
    scratch.value = text;
    scratch.readOnly = true;
    scratch.className = 'unseen';
    source.after(scratch);
    scratch.select();
    const isCopied = document.execCommand('copy');
    scratch.remove();
    return isCopied;
  }
}

/** @param {HTMLButtonElement} button */
function download(button) {
  const source = document.getElementById(button.dataset.downloads ?? '');
  if (!source) return;
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([exactText(source)], { type: 'text/plain;charset=utf-8' }));
  link.download = 'secret.txt';
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
