import { locales, type Messages, messagesOf } from '../../../locales/locales.ts';
import { type OwnText, type Scheme, schemes } from '../../../look/look.ts';
import { accountPage } from '../../components/accountArea.tsx';
import { SubmitButton } from '../../components/form.tsx';
import { shareImageOf, sourceOf, Welcome } from '../../components/look.tsx';
import type { PageContext } from '../../pageContext.ts';

/** Two colours that are seen together. */
export const pairs: readonly [Seen, Seen][] = [
  ['text', 'background'],
  ['text', 'surface'],
  ['textMuted', 'background'],
  ['accent', 'background'],
  ['accent', 'surface'],
  ['onAccent', 'accent'],
  ['text', 'accentSoft'],
];

type Seen = keyof Messages['admin']['look']['contrast']['names'];

type LookPage = {
  /** Whether other pages have this look, too; they get it at the next start. */
  isInUse: boolean;
  contrasts: Record<Scheme, readonly number[]>;
};

/** The look in the folder of the operator, drawn in that look. */
export function lookPage(page: PageContext, { isInUse, contrasts }: LookPage): string {
  const { look, messages } = page;
  const { lead, inUse, atNextStart, buttons, scheme, welcome, footer, preview, contrast } =
    messages.admin.look;
  return accountPage(page, {
    section: 'look',
    lead,
    success: isInUse ? inUse : atNextStart,
    children: (
      <>
        <div class="columns">
          {schemes.map((each) => (
            <p>
              <Sample page={page} scheme={each} title={scheme[each]} />
            </p>
          ))}
        </div>
        <section>
          <h2>{buttons.title}</h2>
          <p>
            <a href={page.path('/admin/look')}>{buttons.link}</a>
          </p>
          <div class="row">
            <SubmitButton type="button" text={buttons.main} />
            <SubmitButton type="button" class="secondary" text={buttons.other} />
          </div>
        </section>
        {look.welcome && (
          <section>
            <h2>{welcome}</h2>
            <InEachLanguage page={page} />
          </section>
        )}
        {look.footer && (
          <section>
            <h2>{footer}</h2>
            <Texts text={look.footer} />
          </section>
        )}
        <section>
          <h2>{preview}</h2>
          <LinkPreview page={page} />
        </section>
        <section>
          <h2>{contrast.title}</h2>
          <Contrasts page={page} contrasts={contrasts} />
        </section>
      </>
    ),
  });
}

/** Why the look in the folder cannot be used, in the look of the other pages. */
export function lookProblemPage(page: PageContext, problem: string): string {
  const { lead, unusable } = page.messages.admin.look;
  return accountPage(page, {
    section: 'look',
    lead,
    children: (
      <>
        <p>{unusable}</p>
        <pre class="error" lang="en">
          {problem}
        </pre>
      </>
    ),
  });
}

type Props = { page: PageContext };

/** A small page in one scheme, whichever this page has. */
function Sample({ page, scheme, title }: Props & { scheme: Scheme; title: string }) {
  const { look, messages } = page;
  const { background, surface, border, text, textMuted, accent, onAccent } = look.palettes[scheme];
  const logo = look.logo?.[scheme];
  const { label, link, button } = messages.admin.look.sample;
  const besideLogo = logo ? 20 + Math.min(140, (24 * logo.width) / logo.height) + 8 : 20;
  return (
    <svg
      viewBox="0 0 320 170"
      role="img"
      aria-label={title}
      font-family="system-ui, sans-serif"
      font-size="12"
    >
      <rect width="320" height="170" rx="10" fill={background} stroke={border} />
      {logo && (
        <image href={page.path(logo.path)} x="20" y="10" width={String(besideLogo - 28)} height="24" />
      )}
      {!look.nameInLogo && (
        <text x={String(besideLogo)} y="27" fill={text} font-size="14" font-weight="600">
          {look.name}
        </text>
      )}
      <rect x="20" y="46" width="280" height="108" rx="8" fill={surface} stroke={border} />
      <text x="36" y="72" fill={text} font-size="14" font-weight="600">
        {title}
      </text>
      <text x="36" y="92" fill={textMuted}>
        {label}
      </text>
      <text x="36" y="110" fill={accent} text-decoration="underline">
        {link}
      </text>
      <rect x="36" y="120" width="96" height="24" rx="6" fill={accent} />
      <text x="84" y="136" fill={onAccent} text-anchor="middle" font-weight="600">
        {button}
      </text>
    </svg>
  );
}

const InEachLanguage = ({ page }: Props) =>
  locales.map((locale) => (
    <>
      <h3>{messagesOf(locale).language}</h3>
      <Welcome page={{ ...page, locale }} />
    </>
  ));

const Texts = ({ text }: { text: OwnText }) => (
  <ul>
    {locales.map((locale) => (
      <li lang={text[locale].lang ?? locale}>{text[locale].text}</li>
    ))}
  </ul>
);

/** What a chat shows of a link. */
function LinkPreview({ page }: Props) {
  const { look, locale, messages } = page;
  const { title, description } = messages.linkPreview;
  const shared = shareImageOf(look);
  const image = shared && sourceOf(page, shared);
  return (
    <>
      {image && (
        <svg
          viewBox={`0 0 ${image.width} ${image.height}`}
          class="measure"
          role="img"
          aria-label={messages.admin.look.preview}
        >
          <image href={image.src} width={String(image.width)} height={String(image.height)} />
        </svg>
      )}
      <p class="hint">{look.name}</p>
      <p>
        <strong>{look.shareTitle?.[locale].text ?? title}</strong>
      </p>
      <p class="muted">{description}</p>
    </>
  );
}

function Contrasts({ page, contrasts }: Props & Pick<LookPage, 'contrasts'>) {
  const { scheme, contrast } = page.messages.admin.look;
  const { look, messages } = page;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{contrast.what}</th>
          {schemes.map((each) => (
            <th scope="col">
              <span class="chip">{scheme[each]}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {pairs.map(([one, other], at) => (
          <tr>
            <th scope="row">{contrast.of(contrast.names[one], contrast.names[other])}</th>
            {schemes.map((each) => (
              <td>
                <Swatch colours={[look.palettes[each][one], look.palettes[each][other]]} />{' '}
                {messages.number(contrasts[each][at] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** One colour on another. */
const Swatch = ({ colours: [one, other] }: { colours: [string, string] }) => (
  <svg viewBox="0 0 30 20" width="30" height="20" aria-hidden="true">
    <rect width="30" height="20" rx="4" fill={other} />
    <rect x="8" y="5" width="14" height="10" rx="2" fill={one} />
  </svg>
);
