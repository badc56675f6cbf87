/**
 * Whether a text has characters that show nothing, or turn the order of others around. Those that belong to emoji and to
 * the scripts of Persia and India are none.
 * @param {string} text
 */
export const hasInvisible = (text) => /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/.test(text);
