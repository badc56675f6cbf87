import type { Operator } from '../../http/http.ts';
import { connectCommandOf, platforms } from '../../platforms.ts';
import { cardPage } from '../components/cardPage.tsx';
import type { PageContext } from '../pageContext.ts';

type Section = { title: string; texts: string[] };

type PrivacyPage = {
  operator: Operator;
  /** How long accounts see what became of their pushes. */
  retentionMs: number;
  /** How long a workspace that removed the Slack app can come back. */
  graceMs: number;
  /** Whether the activity of pushes shows roughly where addresses are. */
  showsPlaces: boolean;
  sendsMail: boolean;
};

/** What this server stores, for how long, and how it is deleted. */
export function privacyPage(
  page: PageContext,
  { operator, retentionMs, graceMs, showsPlaces, sendsMail }: PrivacyPage,
): string {
  const { privacy, support, chats, duration } = page.messages;
  const connect = page.chats
    .map((chat) => `${connectCommandOf(chat)} ${chats.connectIn(platforms[chat].name)}`)
    .join(` ${chats.connectOr} `);
  const durations = { retention: duration(retentionMs), grace: duration(graceMs) };
  const sections = privacy.sections({
    ...durations,
    connect,
    showsPlaces,
    sendsMail,
    service: page.look.name,
  });
  return cardPage(page, {
    title: privacy.title,
    children: (
      <>
        <p>{privacy.lead}</p>
        <Sections sections={sections} />
        <Contact page={page} operator={operator} />
        <p>
          <a href={page.path('/support')}>{support.title}</a>
        </p>
      </>
    ),
  });
}

/** How to get help. */
export function supportPage(page: PageContext, { operator }: { operator: Operator }): string {
  const { privacy, support } = page.messages;
  return cardPage(page, {
    title: support.title,
    children: (
      <>
        <p>{support.lead(page.look.name)}</p>
        <Contact page={page} operator={operator} />
        <Sections sections={support.sections} />
        <p>
          <a href={page.path('/privacy')}>{privacy.title}</a>
        </p>
      </>
    ),
  });
}

function Sections({ sections }: { sections: Section[] }) {
  return sections.map(({ title, texts }) => (
    <section>
      <h2>{title}</h2>
      {texts.map((text) => (
        <p>{text}</p>
      ))}
    </section>
  ));
}

function Contact({ page, operator: { name, contact } }: { page: PageContext; operator: Operator }) {
  const { title, runBy, write, unknown } = page.messages.contact;
  return (
    <section id="contact">
      <h2>{title}</h2>
      {name !== undefined && <p>{runBy(name)}</p>}
      {contact === undefined ? (
        <p>{unknown}</p>
      ) : (
        <p>
          {write} <a href={hrefOf(contact)}>{contact}</a>
        </p>
      )}
    </section>
  );
}

const hrefOf = (contact: string): string => (/^https?:/.test(contact) ? contact : `mailto:${contact}`);
