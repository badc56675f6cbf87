import { Settings } from 'luxon';

/*
 * Agenda's times are luxon's, which asks Intl for the language of the system. No text is made of them, and the data of
 * Intl takes 7 MiB of each process.
 */
Settings.defaultLocale = 'en';

export { Agenda } from 'agenda';
