import type { Messages } from '../locales/locales.ts';

export type ChatMessages = Messages['chat'];
