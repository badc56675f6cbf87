/** A fenced block of a page. */
export type Block = {
  language: string;
  text: string;
  /** The number of its first line of text. */
  line: number;
  /** The heading that it is under. */
  heading: string;
};

/** The fenced blocks of a page in Markdown, in order. Those in lists lose their indentation. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let open: (Block & { indent: number }) | undefined;
  for (const [index, line] of page.split('\n').entries()) {
    const [, indent = '', language = ''] = /^( *)```(\w*)/.exec(line) ?? [];
    if (open !== undefined && /^ *```$/.test(line)) {
      const { indent: _, ...block } = open;
      blocks.push(block);
      open = undefined;
    } else if (open !== undefined) {
      open.text += `${line.slice(open.indent)}\n`;
    } else if (/^ *```/.test(line)) {
      open = { language, text: '', line: index + 2, heading, indent: indent.length };
    } else {
      heading = /^#+ (.+)$/.exec(line)?.[1] ?? heading;
    }
  }
  return blocks;
}
