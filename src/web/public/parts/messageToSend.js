/**
 * Replaces a part of the message that goes with a link, wherever the page of a new push has it.
 * @param {string} text
 * @param {string} replacement
 */
export function replaceInMessage(text, replacement) {
  const message = document.getElementById('message');
  if (message instanceof HTMLTextAreaElement) message.value = message.value.replace(text, replacement);
  for (const program of document.querySelectorAll('a[href^="mailto:"], a[href^="sms:"]')) {
    const address = program.getAttribute('href') ?? '';
    program.setAttribute('href', address.replace(encodeURIComponent(text), encodeURIComponent(replacement)));
  }
}
