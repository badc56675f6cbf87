import type { TestPage } from '../harness/browser.ts';

/**
 * Changes the text nodes of a page as browsers do that translate it: in place, except where the page says no. `everything`
 * is what an extension does that does not ask.
 */
export async function translatePage({ page }: TestPage, { everything = false } = {}): Promise<void> {
  await page.evaluate(`{
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { currentNode } = texts;
      const { parentElement } = currentNode;
      if (parentElement.closest('script, style') || currentNode.data.trim() === '') continue;
      if (${everything} || parentElement.translate) currentNode.data = 'xxx';
    }
  }`);
}
