import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chatTextsPage } from './texts.ts';

// npm run pictures: writes what people read in the chats into docs/.

writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'chat-texts.md'), chatTextsPage());
