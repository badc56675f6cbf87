import type { ComponentChildren } from 'preact';
import { renderPage } from '../../components/layout.tsx';
import { Area } from '../../components/navigation.tsx';
import type { PageContext } from '../../pageContext.ts';
import {
  ButtonSamples,
  ChoiceSamples,
  CopySamples,
  FieldSamples,
  MessageSamples,
  TableSamples,
} from './components.tsx';
import { EncryptionSamples } from './encryption.tsx';
import { ColourSamples, SizeSamples, TypeSamples } from './tokens.tsx';

const sections: {
  name: string;
  title: string;
  Content: (props: { page: PageContext }) => ComponentChildren;
}[] = [
  { name: 'type', title: 'Type', Content: TypeSamples },
  { name: 'colour', title: 'Colour', Content: ColourSamples },
  { name: 'sizes', title: 'Space, shape and motion', Content: SizeSamples },
  { name: 'buttons', title: 'Buttons', Content: ButtonSamples },
  { name: 'fields', title: 'Fields', Content: FieldSamples },
  { name: 'choices', title: 'Choices', Content: ChoiceSamples },
  { name: 'messages', title: 'Messages', Content: MessageSamples },
  { name: 'copying', title: 'Values to copy', Content: CopySamples },
  { name: 'encryption', title: 'Encryption in the browser', Content: EncryptionSamples },
  { name: 'table', title: 'Tables and empty lists', Content: TableSamples },
];

/** The tokens, and every component in every state, for whoever works on the pages. In English only. */
export function stylePage(page: PageContext): string {
  return renderPage(page, {
    title: 'Style',
    isWide: true,
    scripts: ['copy.js', 'newPush.js'],
    children: (
      <Area
        page={page}
        label="Sections"
        current=""
        links={sections.map(({ name, title }) => ({ name, path: `/style#${name}`, text: title }))}
      >
        <h1>Style</h1>
        <p class="muted">
          The tokens are in <code>tokens.css</code>. Colours and times come from there alone, and so do sizes
          that repeat.
        </p>
        {sections.map(({ name, title, Content }) => (
          <div class="card" id={name}>
            <h2>{title}</h2>
            <Content page={page} />
          </div>
        ))}
      </Area>
    ),
  });
}
