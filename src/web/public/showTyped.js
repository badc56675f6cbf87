// Checkboxes that show the passwords of their form as they are typed. What is sent is a password again: browsers remember texts.
for (const checkbox of document.querySelectorAll('[data-show-typed]')) {
  if (!(checkbox instanceof HTMLInputElement) || !checkbox.form) continue;
  const fields = [...checkbox.form.elements].filter((field) => field.matches('[type=password]'));
  const show = (/** @type {boolean} */ isShown) => {
    for (const field of fields) field.setAttribute('type', isShown ? 'text' : 'password');
  };
  checkbox.addEventListener('change', () => show(checkbox.checked));
  checkbox.form.addEventListener('submit', () => show(false));
}
