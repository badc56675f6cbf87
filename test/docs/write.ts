import { readFileSync, writeFileSync } from 'node:fs';
import { settingsPage } from './settingsPage.ts';

const path = (name: string) => new URL(`../../${name}`, import.meta.url);

writeFileSync(path('docs/settings.md'), settingsPage(readFileSync(path('.env.example'), 'utf8')));
