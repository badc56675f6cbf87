// Forms of the API's description that send a request to this server, and show the response. The API token stays in the page.
const token = document.getElementById('api-token');

for (const form of document.querySelectorAll('form[data-try]')) {
  if (!(form instanceof HTMLFormElement)) continue;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
}

/** @param {HTMLFormElement} form */
async function send(form) {
  const output = form.querySelector('pre');
  if (output === null) return;
  output.hidden = false;
  output.textContent = '…';
  output.textContent = await responseTo(form).catch(() => form.dataset.failed ?? '');
}

/** @param {HTMLFormElement} form */
async function responseTo(form) {
  const { url, headers, body } = requestOf(form);
  const response = await fetch(url, {
    method: form.dataset.method ?? 'GET',
    headers,
    ...(body === '' ? {} : { body }),
    credentials: 'omit',
    cache: 'no-store',
  });
  return `${response.status} ${response.statusText}\n\n${indented(await response.text())}`;
}

/** @param {HTMLFormElement} form */
function requestOf(form) {
  let path = form.dataset.try ?? '';
  let body = '';
  const query = new URLSearchParams();
  const headers = new Headers();
  for (const [field, value] of new FormData(form)) {
    const [, place = '', name = ''] = field.split('.');
    const text = String(value);
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(text));
    else if (place === 'body') body = text;
    else if (text !== '' && place === 'query') query.set(name, text);
    else if (text !== '') headers.set(name, text);
  }
  if (body !== '') headers.set('Content-Type', 'application/json');
  if (token instanceof HTMLInputElement && token.value.trim() !== '')
    headers.set('Authorization', `Bearer ${token.value.trim()}`);
  return { url: query.size > 0 ? `${path}?${query}` : path, headers, body };
}

/** @param {string} text */
function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
