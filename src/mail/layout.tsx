import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { Locale, Messages } from '../locales/locales.ts';
import { defaultLook, type Look } from '../look/look.ts';

/** `isCode`: what the mail is for, to copy or to read aloud. */
type Fact = { name: string; value: string; isCode?: boolean };

/** What a mail says, in the language of its reader. Holds no secret, and no name or note of one. */
export type MailContent = {
  /** Without anything that somebody typed: it is shown on locked phones. */
  subject: string;
  heading: string;
  paragraphs: string[];
  facts?: Fact[];
  action?: { text: string; href: string };
  /** Why the reader gets this mail. */
  reason: string;
  /** Ends mails of this kind: one press, as mail programs show it (RFC 8058), or a page. */
  unsubscribe?: { text: string; href: string };
};

/** In what language a mail is, and which service it comes from. */
export type MailReader = {
  locale: Locale;
  messages: Messages;
  baseUrl: string;
  look?: Look | undefined;
  /** Ends the notices to this reader. */
  unsubscribeHref?: string;
};

/** The colours of the light scheme are in the elements, where every program takes them. Mails load no style sheet. */
const lightOf = ({ look = defaultLook }: Pick<MailReader, 'look'>) => look.palettes.light;

/** Programs that show mails in dark mode read this; the others ignore it, and show the colours of the elements. */
function stylesOf({ palettes: { light, dark } }: Look): string {
  return `:root{color-scheme:light dark;supported-color-schemes:light dark}
a{color:${light.accent}}
@media (max-width:480px){.card{padding:20px 16px!important}.outer{padding:12px 8px!important}}
@media (prefers-color-scheme:dark){
body,.outer{background:${dark.background}!important}
.card{background:${dark.surface}!important;border-color:${dark.border}!important}
.text,.text h1{color:${dark.text}!important}
.muted,.muted a{color:${dark.textMuted}!important}
a{color:${dark.accent}!important}
.button{background:${dark.accent}!important;color:${dark.onAccent}!important}
}`;
}
const font = "font-family:ui-serif,Georgia,'Times New Roman',serif";

/** The space between the characters is not copied with them. */
const codeStyle =
  'font-family:ui-monospace,Menlo,Consolas,monospace;font-size:28px;font-weight:bold;letter-spacing:4px';

/** Renders a mail as its two parts. Nothing in it is loaded from anywhere. Preact escapes every text. */
export function renderMail(
  content: MailContent,
  reader: MailReader,
): Record<'subject' | 'text' | 'html', string> {
  return {
    subject: content.subject,
    text: textOf(content, reader),
    html: `<!doctype html>${render(<HtmlMail {...content} {...reader} />)}`,
  };
}

function textOf(
  { heading, paragraphs, facts = [], action, reason, unsubscribe }: MailContent,
  { locale, messages, baseUrl, look = defaultLook }: MailReader,
): string {
  const own = [
    ...(look.footer ? [look.footer[locale].text] : []),
    ...look.links.map(({ text, url }) => `${text[locale].text}: ${url}`),
  ];
  const blocks = [
    heading,
    ...paragraphs.map(inOneLine),
    facts.map(({ name, value }) => `${name}: ${inOneLine(value)}`).join('\n'),
    action === undefined ? '' : `${action.text}:\n${action.href}`,
    [
      '-- ',
      reason,
      ...(unsubscribe ? [`${unsubscribe.text}: ${unsubscribe.href}`] : []),
      messages.mail.from(look.name, baseUrl),
      ...own,
    ].join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** A text of somebody as one line, which looks like no other part of the mail. */
const inOneLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ');

function HtmlMail({
  subject,
  heading,
  paragraphs,
  facts = [],
  action,
  reason,
  unsubscribe,
  ...reader
}: MailContent & MailReader) {
  const { locale, messages, baseUrl, look = defaultLook } = reader;
  const light = lightOf(reader);
  return (
    <html lang={locale} dir={messages.direction}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style dangerouslySetInnerHTML={{ __html: stylesOf(look) }} />
      </head>
      <body style={`margin:0;padding:0;background:${light.background}`}>
        <Background class="outer" style={`background:${light.background};padding:24px 12px`}>
          <Column>
            <div
              class="card text"
              style={`padding:28px 32px;background:${light.surface};border:1px solid ${light.border};border-radius:10px;color:${light.text};${font};font-size:17px;line-height:1.5`}
            >
              <p class="muted" style={`margin:0 0 16px;font-size:15px;color:${light.textMuted}`}>
                {look.name}
              </p>
              <h1 style={`margin:0 0 12px;font-size:22px;line-height:1.3;color:${light.text}`}>{heading}</h1>
              {paragraphs.map((text) => (
                <p style="margin:0 0 14px">{text}</p>
              ))}
              {facts.map(({ name, value, isCode }) => (
                <p style="margin:0 0 6px">
                  <span class="muted" style={`color:${light.textMuted}`}>
                    {name}:
                  </span>{' '}
                  <bdi style={isCode ? codeStyle : 'overflow-wrap:anywhere'}>{value}</bdi>
                </p>
              ))}
              {action && <Action {...action} messages={messages} look={look} />}
            </div>
            <p
              class="muted"
              style={`margin:16px 8px 0;color:${light.textMuted};${font};font-size:14px;line-height:1.5`}
            >
              {reason}{' '}
              {unsubscribe && (
                <>
                  <a href={unsubscribe.href} style="color:inherit">
                    {unsubscribe.text}
                  </a>
                  .{' '}
                </>
              )}
              {messages.mail.from(look.name, baseUrl)}
              <Signature locale={locale} look={look} />
            </p>
          </Column>
        </Background>
      </body>
    </html>
  );
}

type BoxProps = { class?: string; style: string; children: ComponentChildren };

/** What tables need where nothing else gives them a width, as in Outlook. */
const plainTable = { role: 'presentation', cellpadding: '0', cellspacing: '0' } as const;
const columnTable = { ...plainTable, align: 'center', width: '600' };

/** The whole width, in one colour. */
const Background = ({ children, ...cell }: BoxProps) => (
  <table {...plainTable} width="100%">
    <tr>
      <td {...cell}>{children}</td>
    </tr>
  </table>
);

/** At most 600 pixels, in the middle. */
const Column = ({ children }: Pick<BoxProps, 'children'>) => (
  <table {...columnTable} style="width:100%;max-width:600px;margin:0 auto">
    <tr>
      <td>{children}</td>
    </tr>
  </table>
);

type ActionProps = { text: string; href: string } & Pick<MailReader, 'messages' | 'look'>;

function Action({ text, href, messages, look }: ActionProps) {
  const light = lightOf({ look });
  const button = `display:inline-block;padding:12px 20px;border-radius:10px;background:${light.accent};color:${light.onAccent};text-decoration:none;font-weight:bold`;
  return (
    <>
      <p style="margin:20px 0">
        <a class="button" href={href} style={button}>
          {text}
        </a>
      </p>
      <p class="muted" style={`margin:0;font-size:14px;color:${light.textMuted};overflow-wrap:anywhere`}>
        {messages.mail.orCopy}
        <br />
        {href}
      </p>
    </>
  );
}

/** The footer and the links of a look. */
function Signature({ locale, look }: { locale: Locale; look: Look }) {
  return (
    <>
      {look.footer && (
        <>
          <br />
          <bdi lang={look.footer[locale].lang}>{look.footer[locale].text}</bdi>
        </>
      )}
      {look.links.map(({ text, url }, at) => (
        <>
          {at === 0 ? <br /> : ' · '}
          <a href={url} style="color:inherit">
            <bdi lang={text[locale].lang}>{text[locale].text}</bdi>
          </a>
        </>
      ))}
    </>
  );
}
