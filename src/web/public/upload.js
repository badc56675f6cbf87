// Submits a form with files and shows the progress; without this script the browser submits it as usual.
const form = /** @type {HTMLFormElement} */ (document.getElementById('new-push'));
const input = /** @type {HTMLInputElement} */ (document.getElementById('files'));
const panel = /** @type {HTMLElement} */ (document.getElementById('upload'));
const messages = /** @type {Record<string, string>} */ ({ ...panel.dataset });
const percents = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' });

form.addEventListener('submit', (event) => {
  if (event.defaultPrevented || input.disabled || input.files?.length === 0) return;
  event.preventDefault();
  upload();
});

function upload() {
  const request = new XMLHttpRequest();
  const bar = /** @type {HTMLProgressElement} */ (panel.querySelector('progress'));
  const text = /** @type {HTMLElement} */ (document.getElementById('upload-status'));
  const cancel = /** @type {HTMLButtonElement} */ (panel.querySelector('button'));
  /** @param {number} done */
  const showProgress = (done) => {
    bar.value = done;
    text.textContent = (messages.sending ?? '').replace('{percent}', percents.format(done));
  };
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    showProgress(total === 0 ? 0 : loaded / total),
  );
  request.upload.addEventListener('load', () => {
    cancel.hidden = true; // the push may exist by now
    text.textContent = messages.finishing ?? '';
  });
  request.addEventListener('load', () => handleResponse(request));
  request.addEventListener('error', () => restore(messages.broken));
  request.addEventListener('abort', () => restore(messages.cancelled));
  request.open('POST', form.action);
  request.responseType = 'document';
  request.send(new FormData(form));
  cancel.onclick = () => request.abort();
  cancel.hidden = false;
  showProgress(0);
  setBusy(true);
  cancel.focus();
}

/** During an upload, the rest of the form is inert. @param {boolean} isBusy */
function setBusy(isBusy) {
  for (const child of form.children) {
    if (child instanceof HTMLElement && child !== panel) child.inert = isBusy;
  }
  panel.hidden = !isBusy;
}

/** Shows the form again, with its files and a message. @param {string | undefined} text */
function restore(text) {
  setBusy(false);
  for (const old of document.querySelectorAll('main .error, form .field-error')) old.remove();
  for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
  const message = document.createElement('p');
  message.className = 'error';
  message.role = 'alert';
  message.textContent = text ?? '';
  panel.before(message);
  const submit = form.querySelector('button[type=submit]');
  if (submit instanceof HTMLElement) submit.focus();
}

/** A form in the response would lack its files, so only its problems and its token are taken over. @param {XMLHttpRequest} request */
function handleResponse({ status, response, responseURL }) {
  const main = response instanceof Document ? response.querySelector('main') : null;
  if (main === null) restore(messages.broken);
  else if (status === 200) location.assign(responseURL);
  else if (response.getElementById('new-push')) showProblems(response);
  else restore(main.querySelector('p')?.textContent ?? '');
}

/** @param {Document} page */
function showProblems(page) {
  const [token, newToken] = [form, page].map((each) => each.querySelector('[name=csrf]'));
  if (token instanceof HTMLInputElement && newToken instanceof HTMLInputElement) token.value = newToken.value;
  restore(page.querySelector('main .error')?.textContent ?? '');
  for (const problem of page.querySelectorAll('form .field-error')) {
    const control = document.getElementById(problem.id.replace(/-problem$/, ''));
    const field = control?.closest('.field');
    if (!control || !field) continue;
    control.ariaInvalid = 'true';
    field.append(problem);
    const details = field.closest('details');
    if (details) details.open = true;
  }
  const first = form.querySelector('[aria-invalid]');
  if (first instanceof HTMLElement) first.focus();
}
