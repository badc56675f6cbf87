// The share sheet of phones, where the browser opens one. Sharing that is cancelled, or fails there, changes nothing here.
const button = document.querySelector('button[data-share]');
const link = document.getElementById('link');
if (button instanceof HTMLButtonElement && link instanceof HTMLInputElement && 'share' in navigator) {
  const { title = '', share: text = '' } = button.dataset;
  button.hidden = false;
  button.addEventListener('click', () => navigator.share({ title, text, url: link.value }).catch(() => {}));
}
