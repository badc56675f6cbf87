import { type Domain, toRefusal } from '../../domain/index.ts';

/** Secrets that wait, sealed, for the rest of their form. A draft lives an hour. */
export function createDrafts(links: Domain['chat']['links']) {
  /** A draft's token, which works once `save` is done. */
  const prepareDraft = (text: string): { token: string; save: () => Promise<void> } =>
    links.prepare('draft', { text });

  async function maybeDraftText(token: string): Promise<string | undefined> {
    try {
      return (await links.read<{ text: string }>('draft', token)).text;
    } catch (error) {
      if (toRefusal(error)?.code === 'not_found') return undefined;
      throw error;
    }
  }

  const deleteDraft = (token: string) => links.consume(token);

  return { prepareDraft, maybeDraftText, deleteDraft };
}
