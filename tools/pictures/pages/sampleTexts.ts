import type { Locale } from '../../../src/locales/locales.ts';

export type SampleTexts = {
  names: Record<'database' | 'wifi' | 'wiki' | 'payroll' | 'license' | 'vpn', string>;
  reasons: Record<'asked' | 'asking', string>;
  laptop: string;
  note: string;
  message: string;
};

/** What people of the pictures have written. */
export const sampleTexts: Record<Locale, SampleTexts> = {
  en: {
    names: {
      database: 'Password of the staging database',
      wifi: 'Wi-Fi for guests',
      wiki: 'New wiki',
      payroll: 'Payroll export',
      license: 'License key',
      vpn: 'VPN for Bob',
    },
    reasons: { asked: 'The VPN password, please', asking: 'The key of the old server' },
    laptop: 'Laptop',
    note: 'He starts on Monday.',
    message: 'The key opens the server, and the dump is for the new database.',
  },
  de: {
    names: {
      database: 'Passwort der Testdatenbank',
      wifi: 'WLAN für Gäste',
      wiki: 'Neues Wiki',
      payroll: 'Lohnabrechnung',
      license: 'Lizenzschlüssel',
      vpn: 'VPN für Bob',
    },
    reasons: { asked: 'Das VPN-Passwort, bitte', asking: 'Der Schlüssel des alten Servers' },
    laptop: 'Notebook',
    note: 'Er fängt am Montag an.',
    message: 'Der Schlüssel öffnet den Server, der Dump ist für die neue Datenbank.',
  },
};
