/** Has the browser save a file. @param {Blob} content @param {string} name */
export function saveFile(content, name) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
