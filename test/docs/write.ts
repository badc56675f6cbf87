import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { clientPage } from './clientPage.ts';
import { documentedProgram, manPage } from './manPage.ts';
import { schemaChanges } from './schemaChanges.ts';
import { apiPage } from './scopesTable.ts';
import { settingsPage } from './settingsPage.ts';

const path = (name: string) => new URL(`../../${name}`, import.meta.url);
const read = (name: string) => readFileSync(path(name), 'utf8');

writeFileSync(path('docs/api.md'), apiPage(read('docs/api.md')));
writeFileSync(path('docs/hushpush.1'), manPage(documentedProgram(), read('docs/client.md')));
writeFileSync(path('docs/settings.md'), settingsPage(read('.env.example')));
writeFileSync(
  path('docs/client.md'),
  clientPage(read('docs/client.md'), (name) => read(`src/client/${name}`)),
);
writeFileSync(
  path('migrations/schema.json'),
  `${JSON.stringify(await schemaChanges(fileURLToPath(path('migrations'))), null, 2)}\n`,
);
