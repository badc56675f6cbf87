/**
 * Keeps browsers from sending a text to a translation service, and from changing it (HTML, the translate attribute). Preact
 * leaves out an attribute that is false, as its type has it.
 */
export const untranslated = { translate: 'no' } as unknown as { translate: boolean };
