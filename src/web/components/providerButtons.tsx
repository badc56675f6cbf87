import type { PageContext } from '../pageContext.ts';
import { ButtonLink } from './form.tsx';

type ProviderButtonsProps = {
  page: PageContext;
  providers: { name: string; label: string }[];
  /** What the sign-in there is for, or where it leads. */
  query?: Record<string, string | undefined>;
  textOf?: (label: string) => string;
};

/** The ways to sign in elsewhere, one a provider. */
export function ProviderButtons({ page, providers, query = {}, textOf }: ProviderButtonsProps) {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  return (
    <p class="row">
      {providers.map(({ name, label }) => (
        <ButtonLink
          class="secondary"
          href={page.path(`/sign-in/${name}${search}`)}
          text={(textOf ?? page.messages.singleSignOn.with)(label)}
        />
      ))}
    </p>
  );
}
