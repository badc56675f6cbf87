import { readFileSync, writeFileSync } from 'node:fs';
import { clientPage } from './clientPage.ts';
import { settingsPage } from './settingsPage.ts';

const path = (name: string) => new URL(`../../${name}`, import.meta.url);
const read = (name: string) => readFileSync(path(name), 'utf8');

writeFileSync(path('docs/settings.md'), settingsPage(read('.env.example')));
writeFileSync(
  path('docs/client.md'),
  clientPage(read('docs/client.md'), (name) => read(`src/client/${name}`)),
);
