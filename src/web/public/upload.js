// Sends a form that has files, with a bar that shows how far it is; without this script the browser sends it as any other.
const form = /** @type {HTMLFormElement} */ (document.getElementById('make'));
const input = /** @type {HTMLInputElement} */ (document.getElementById('files'));
const panel = /** @type {HTMLElement} */ (document.getElementById('upload'));
const says = /** @type {Record<string, string>} */ ({ ...panel.dataset });
const percents = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' });

form.addEventListener('submit', (event) => {
  if (event.defaultPrevented || input.disabled || input.files?.length === 0) return;
  event.preventDefault();
  upload();
});

function upload() {
  const request = new XMLHttpRequest();
  const bar = /** @type {HTMLProgressElement} */ (panel.querySelector('progress'));
  const text = /** @type {HTMLElement} */ (document.getElementById('sending'));
  const cancel = /** @type {HTMLButtonElement} */ (panel.querySelector('button'));
  /** @param {number} done */
  const tell = (done) => {
    bar.value = done;
    text.textContent = (says.sending ?? '').replace('{percent}', percents.format(done));
  };
  request.upload.addEventListener('progress', ({ loaded, total }) => tell(total === 0 ? 0 : loaded / total));
  request.upload.addEventListener('load', () => {
    cancel.hidden = true; // the push may be made by now
    text.textContent = says.sealing ?? '';
  });
  request.addEventListener('load', () => answer(request));
  request.addEventListener('error', () => giveBack(says.broken));
  request.addEventListener('abort', () => giveBack(says.cancelled));
  request.open('POST', form.action);
  request.responseType = 'document';
  request.send(new FormData(form));
  cancel.onclick = () => request.abort();
  cancel.hidden = false;
  tell(0);
  setBusy(true);
  cancel.focus();
}

/** While an upload runs, only it can be touched. @param {boolean} isBusy */
function setBusy(isBusy) {
  for (const part of form.children) {
    if (part instanceof HTMLElement && part !== panel) part.inert = isBusy;
  }
  panel.hidden = !isBusy;
}

/** The form as it was, files included, with what became of it. @param {string | undefined} text */
function giveBack(text) {
  setBusy(false);
  for (const old of document.querySelectorAll('main .problem, form .wrong')) old.remove();
  for (const wrong of form.querySelectorAll('[aria-invalid]')) wrong.removeAttribute('aria-invalid');
  const said = document.createElement('p');
  said.className = 'problem';
  said.role = 'alert';
  said.textContent = text ?? '';
  panel.before(said);
  const submit = form.querySelector('button[type=submit]');
  if (submit instanceof HTMLElement) submit.focus();
}

/** The same form again would be without its files, so only what is wrong is taken from it. @param {XMLHttpRequest} request */
function answer({ status, response }) {
  const main = response instanceof Document ? response.querySelector('main') : null;
  if (main === null) giveBack(says.broken);
  else if (status === 200) become(response, main);
  else if (response.getElementById('attach')) takeProblems(response);
  else giveBack(main.querySelector('p')?.textContent ?? '');
}

/** Makes this page the one that came as an answer. Its scripts get the nonce that this page allows. @param {Document} page @param {Element} main */
function become(page, main) {
  document.title = page.title;
  document.querySelector('main')?.replaceWith(main);
  const nonce = document.querySelector('script')?.nonce ?? '';
  for (const { src } of page.scripts) {
    if (src === '' || [...document.scripts].some((present) => present.src === src)) continue;
    const script = document.createElement('script');
    Object.assign(script, { type: 'module', src, nonce });
    document.body.append(script);
  }
  const title = main.querySelector('h1');
  if (title === null) return;
  title.tabIndex = -1;
  title.focus();
}

/** @param {Document} page */
function takeProblems(page) {
  giveBack(page.querySelector('main .problem')?.textContent ?? '');
  for (const wrong of page.querySelectorAll('form .wrong')) {
    const control = document.getElementById(wrong.id.replace(/-problem$/, ''));
    const place = control?.closest('.field');
    if (!control || !place) continue;
    control.ariaInvalid = 'true';
    place.append(wrong);
    const details = place.closest('details');
    if (details) details.open = true;
  }
  const first = form.querySelector('[aria-invalid]');
  if (first instanceof HTMLElement) first.focus();
}
