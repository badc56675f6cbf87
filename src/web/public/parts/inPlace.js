/** What people enter or scripts change; a page that was requested again knows nothing of it. */
const live = 'head, body, script, #selected-files, #upload-status, #files-summary, #options-set';
const liveAttribute = /^(hidden|open|value|checked|selected|disabled|required|class|nonce)$/;

/**
 * Makes the links to other languages and themes change this page instead of loading another one, so that what was entered
 * stays, and stays in this page alone. @param {() => void} onChange
 */
export function changeInPlace(onChange) {
  document.addEventListener('click', async (event) => {
    const link = event.target instanceof Element && event.target.closest('#footer nav a');
    if (!(link instanceof HTMLAnchorElement) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      const text = await (await fetch(link.href)).text();
      const page = new DOMParser().parseFromString(text, 'text/html');
      takeOver(document.documentElement, page.documentElement);
      takeOver(document.body, page.body);
      takeOverHead(page);
      onChange();
    } catch {
      location.assign(link.href);
    }
  });
}

/** @param {Document} page */
function takeOverHead(page) {
  document.title = page.title;
  const [sheet, newSheet] = [document, page].map((each) => each.querySelector('link[rel=stylesheet]'));
  sheet?.setAttribute('href', newSheet?.getAttribute('href') ?? '');
  for (const colour of document.querySelectorAll('meta[name=theme-color]')) colour.remove();
  document.head.append(...page.querySelectorAll('meta[name=theme-color]'));
}

/** Takes over texts and attributes, from an element of the same page as it is in another language or theme. @param {Element} from @param {Element} to */
function takeOver(from, to) {
  for (const { name, value } of to.attributes) {
    if (!liveAttribute.test(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  if (from.matches('textarea')) return;
  const [nodes, newNodes] = [[...from.childNodes], [...to.childNodes]];
  if (from.matches('#footer nav ul')) return from.replaceChildren(...newNodes);
  if (nodes.length !== newNodes.length) return;
  for (const [index, node] of nodes.entries()) {
    const newNode = newNodes[index];
    if (node instanceof Text && newNode instanceof Text) node.data = newNode.data;
    else if (node instanceof Element && newNode instanceof Element && !node.matches(live))
      takeOver(node, newNode);
  }
}
