import {
  defaultLook,
  type Look,
  type LookImage,
  type OwnText,
  type Palette,
  schemes,
} from '../../look/look.ts';
import { assetPath } from '../assets.ts';
import type { PageContext } from '../pageContext.ts';
import { type Theme, themes } from '../theme.ts';

type Props = { page: PageContext };

const styles = new WeakMap<Look, Record<Theme, string>>();

/** What a look adds to the style sheets, in a theme: nothing where it has neither colours nor a logo. Made once. */
export function stylesOf(look: Look, theme: Theme): string {
  const known = styles.get(look);
  if (known !== undefined) return known[theme];
  const made = Object.fromEntries(themes.map((each) => [each, tokensOf(look, each) + logoStyles(look)]));
  styles.set(look, made as Record<Theme, string>);
  return made[theme] ?? '';
}

const tokenNames = Object.keys(defaultLook.palettes.light) as (keyof Palette)[];

/** The design tokens that differ from ours in a scheme, for both. The values are hexadecimal numbers. */
function tokensOf({ palettes }: Look, theme: Theme): string {
  const names = tokenNames.filter((name) =>
    schemes.some((scheme) => palettes[scheme][name] !== defaultLook.palettes[scheme][name]),
  );
  const [light = '', dark = ''] = schemes.map(
    (scheme) => ruleOf(names, palettes[scheme]) + successOf(names, defaultLook.palettes[scheme]),
  );
  if (theme !== 'system') return theme === 'light' ? light : dark;
  return `${light}${dark && `@media (prefers-color-scheme:dark){${dark}}`}`;
}

function ruleOf(names: (keyof Palette)[], palette: Palette): string {
  if (names.length === 0) return '';
  const tokens = names.map(
    (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${palette[name]}`,
  );
  return `:root{${tokens.join(';')}}`;
}

/** What was done stays green: in a red accent, it would look like an error. */
const successOf = (names: (keyof Palette)[], { accent, accentSoft }: Palette) =>
  names.includes('accent') ? `.success{border-color:${accent};background:${accentSoft}}` : '';

const logoStyles = ({ logo }: Look) =>
  logo
    ? '.brand img{display:block;inline-size:auto;block-size:2rem;max-inline-size:min(14rem,60vw);object-fit:contain}'
    : '';

/** The logo of the operator, as an image: what is in it can do nothing to the page. */
export function OwnLogo({ page, logo }: Props & { logo: NonNullable<Look['logo']> }) {
  const { look, theme } = page;
  const shown = theme === 'dark' ? logo.dark : logo.light;
  const image = <img {...sourceOf(page, shown)} alt={look.nameInLogo ? look.name : ''} />;
  if (theme !== 'system' || logo.dark === logo.light) return image;
  const { src, ...size } = sourceOf(page, logo.dark);
  return (
    <picture>
      <source srcset={src} media="(prefers-color-scheme: dark)" {...size} />
      {image}
    </picture>
  );
}

/** The attributes of an image, with its size, so that nothing moves when it arrives. */
export const sourceOf = (
  page: PageContext,
  { path, width, height }: Pick<LookImage, 'path' | 'width' | 'height'>,
) => ({
  src: page.path(path),
  width: Math.round(width * scaleOf(height)),
  height: Math.round(height * scaleOf(height)),
});

/** Attributes are whole numbers: a logo of 1 × 0.4 units has a ratio, too. */
const scaleOf = (height: number) => (height < 100 ? 100 / height : 1);

/** The image of link previews. Ours has our name in it, so a service with another name has none unless it has its own. */
export function shareImageOf({ shareImage, name }: Look) {
  if (shareImage !== undefined || name !== defaultLook.name) return shareImage;
  return { path: assetPath('share.png'), width: 1200, height: 630 };
}

/** A text of the operator, marked where it is in another language than the page. */
export function OwnSentence({ page: { locale }, text }: Props & { text: OwnText }) {
  const { text: own, lang } = text[locale];
  return <bdi lang={lang}>{own}</bdi>;
}

/** The links of the operator. */
export const FooterLinks = ({ page }: Props) =>
  page.look.links.map(({ text, url }) => (
    <>
      {' '}
      <a href={url}>
        <OwnSentence page={page} text={text} />
      </a>
    </>
  ));

/** What the operator says to people who come, if anything. `isNarrow` above a narrow card. */
export function Welcome({ page: { look, locale }, isNarrow }: Props & { isNarrow?: boolean }) {
  if (look.welcome === undefined) return null;
  const { text, lang } = look.welcome[locale];
  const paragraphs = text.split('\n').filter((line) => line.trim() !== '');
  return paragraphs.map((line) => (
    <p class={isNarrow ? 'narrow' : undefined} lang={lang} dir="auto">
      {line}
    </p>
  ));
}
