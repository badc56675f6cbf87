import { deleteStored } from './toBlob.js';

/** A text is sent so fast that its progress would only flicker. */
const flickerMs = 500;

/** Sends forms with their progress in the panel `#upload`, whose button cancels. @param {HTMLFormElement} form */
export function createFormSending(form) {
  const panel = /** @type {HTMLElement} */ (document.getElementById('upload'));
  const bar = /** @type {HTMLProgressElement} */ (panel.querySelector('progress'));
  const text = /** @type {HTMLElement} */ (document.getElementById('upload-status'));
  const cancel = /** @type {HTMLButtonElement} */ (panel.querySelector('button'));
  const messages = /** @type {Record<string, string>} */ (panel.dataset);
  const percents = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' });
  let timer = 0;

  function showPanel() {
    panel.hidden = false;
    cancel.focus();
  }

  /** While it is sent, the rest of the form is inert. @param {boolean} isBusy */
  function setBusy(isBusy) {
    for (const child of form.children) {
      if (child instanceof HTMLElement && child !== panel) child.inert = isBusy;
    }
    window.clearTimeout(timer);
    panel.hidden = true;
  }

  /** Shows the panel: at once, or if it takes longer. @param {boolean} isLong */
  function begin(isLong) {
    setBusy(true);
    if (isLong) showPanel();
    else timer = window.setTimeout(showPanel, flickerMs);
  }

  /** Shows what happens before anything is sent, which nothing cancels. @param {string | undefined} step */
  function prepare(step) {
    cancel.hidden = true;
    text.textContent = step ?? '';
  }

  /**
   * @param {FormData} fields
   * @param {{ onResponse: (request: XMLHttpRequest) => void, onFailure: (message: string | undefined) => void }} handlers
   */
  function send(fields, { onResponse, onFailure }) {
    const request = new XMLHttpRequest();
    /** @param {number} done */
    const showProgress = (done) => {
      bar.value = done;
      text.textContent = (messages.sending ?? '').replace('{percent}', percents.format(done));
    };
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      showProgress(total === 0 ? 0 : loaded / total),
    );
    request.upload.addEventListener('load', () => {
      cancel.hidden = true; // it may have taken effect by now
      text.textContent = messages.finishing ?? '';
    });
    /** Another try encrypts again. @param {string} event @param {() => void} act */
    const onEnd = (event, act) =>
      request.addEventListener(event, () =>
        deleteStored()
          .catch(() => {})
          .then(act),
      );
    onEnd('load', () => onResponse(request));
    onEnd('error', () => onFailure(navigator.onLine ? messages.broken : messages.offline));
    onEnd('abort', () => onFailure(messages.cancelled));
    request.open('POST', form.action);
    request.setRequestHeader('Accept', 'text/html');
    request.send(fields);
    cancel.onclick = () => request.abort();
    cancel.hidden = false;
    showProgress(0);
    if (!panel.hidden) cancel.focus();
  }

  return { begin, prepare, send, setBusy, messages };
}
