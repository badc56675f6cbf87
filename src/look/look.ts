import type { Locale } from '../locales/locales.ts';

/** A text of the operator for readers of each language, and its language where that is another one. */
export type OwnText = Record<Locale, { text: string; lang?: Locale | undefined }>;

/** An image of the operator. Pages load it from `path`, which changes with its content. */
export type LookImage = {
  name: string;
  path: string;
  version: string;
  type: 'image/svg+xml' | 'image/png';
  content: Buffer;
  /** In CSS pixels; for an SVG in units of its own, which tell the ratio. */
  width: number;
  height: number;
};

export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/** The colours that follow from a look, as `#rrggbb`. The design tokens of pages have the same names. */
export type Palette = Record<
  | 'background'
  | 'surface'
  | 'text'
  | 'textMuted'
  | 'border'
  | 'borderStrong'
  | 'accent'
  | 'accentStrong'
  | 'onAccent'
  | 'accentSoft'
  | 'danger',
  string
>;

/** What pages, messages and mails look like: plain data, read once at the start. What is undefined is as hushpush has it. */
export type Look = {
  /** Differs between looks. */
  version: string;
  /** What the service is called. */
  name: string;
  logo: Record<Scheme, LookImage> | undefined;
  /** Whether the logo has the name in it, so that it does not stand beside it again. */
  nameInLogo: boolean;
  icon: LookImage | undefined;
  /** What chats show with a link. */
  shareImage: LookImage | undefined;
  shareTitle: OwnText | undefined;
  palettes: Record<Scheme, Palette>;
  /** Stands for our own sentence at the foot of pages. */
  footer: OwnText | undefined;
  /** At the foot of pages, such as an imprint. */
  links: readonly { text: OwnText; url: string }[];
  /** For people who come to create a link or to sign in. Line breaks part paragraphs. */
  welcome: OwnText | undefined;
};

/** The look of hushpush. A test compares its colours with the design tokens. */
export const defaultLook: Look = {
  version: '',
  name: 'hushpush',
  logo: undefined,
  nameInLogo: false,
  icon: undefined,
  shareImage: undefined,
  shareTitle: undefined,
  palettes: {
    light: {
      background: '#f4f0e7',
      surface: '#fffdf8',
      text: '#23252b',
      textMuted: '#5d594f',
      border: '#ddd5c4',
      borderStrong: '#857c6a',
      accent: '#14584f',
      accentStrong: '#0d433c',
      onAccent: '#ffffff',
      accentSoft: '#cfe3dc',
      danger: '#9c2a1c',
    },
    dark: {
      background: '#161512',
      surface: '#201e1a',
      text: '#ece7db',
      textMuted: '#aca594',
      border: '#3a362d',
      borderStrong: '#8a8371',
      accent: '#84cdbb',
      accentStrong: '#a4dfd0',
      onAccent: '#0c2420',
      accentSoft: '#24413a',
      danger: '#ff9d8e',
    },
  },
  footer: undefined,
  links: [],
  welcome: undefined,
};

/** The images of a look. */
export const imagesOf = ({ logo, icon, shareImage }: Look): LookImage[] =>
  [logo?.light, logo?.dark, icon, shareImage].filter((image) => image !== undefined);
