import { tokenScopes } from '../../../domain/index.ts';
import type { OpenApi } from '../../../http/openApi.ts';
import type { PageContext } from '../../pageContext.ts';
import { ReferenceTable } from './schema.tsx';

/** How to send an API token, before everything else. */
export function SignIn({ page, base }: { page: PageContext; base: string }) {
  const { apiReference: texts } = page.messages;
  return (
    <section id="sign-in">
      <h2>{texts.signIn}</h2>
      <p>
        {texts.signInLead} <a href={page.path('/account/tokens')}>{texts.tokensPage}</a>
      </p>
      <pre>{`export HUSHPUSH_TOKEN=hp_…
curl -H "Authorization: Bearer $HUSHPUSH_TOKEN" ${base}/p/active.json`}</pre>
      <p>{texts.signInPair}</p>
      <p>{texts.scopesLead}</p>
      <ReferenceTable
        head={[texts.scope, texts.meaning]}
        rows={tokenScopes.map((scope) => [<code>{scope}</code>, texts.scopes[scope]])}
      />
      <p>{texts.forms}</p>
      <pre>{`curl -d 'password[payload]=${texts.examplePayload}' ${base}/p.json
curl -H "Authorization: Bearer $HUSHPUSH_TOKEN" -F 'password[files][]=@report.pdf' ${base}/p.json`}</pre>
    </section>
  );
}

/** What every error looks like, and what each status means. */
export function Errors({ page, openApi }: { page: PageContext; openApi: OpenApi }) {
  const { apiReference: texts } = page.messages;
  const example = {
    error: 'expire_after_views must be between 1 and 100',
    errors: ['expire_after_views must be between 1 and 100'],
    fields: { expire_after_views: ['must be between 1 and 100'] },
  };
  return (
    <section id="errors">
      <h2>{texts.errors}</h2>
      <p>{texts.errorsLead}</p>
      <pre>{JSON.stringify(example, null, 2)}</pre>
      <ReferenceTable
        head={[texts.errors, texts.meaning]}
        rows={Object.entries(openApi.components.responses).map(([name, response]) => [
          name,
          response.description,
        ])}
      />
      <h3>{texts.limits}</h3>
      <p>{texts.limitsLead}</p>
      <pre>{`RateLimit-Policy: "token-requests-60s";q=600;w=60
RateLimit: "token-requests-60s";r=597
X-Request-Id: 5f0c9f0e-8d0b-4d0c-9a51-3f1f7d1b7c55`}</pre>
    </section>
  );
}

const verification = `import { createHmac, timingSafeEqual } from 'node:crypto';

// body is the text of the request, before it is parsed
export function isGenuine(secret, headers, body) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (Math.abs(Date.now() / 1000 - timestamp) > 300) return false;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const hmac = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\${body}\`).digest('base64');
  const expected = Buffer.from(\`v1,\${hmac}\`);
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;

/** What webhooks receive, and how to verify it. */
export function Events({ page, openApi }: { page: PageContext; openApi: OpenApi }) {
  const { apiReference: texts } = page.messages;
  return (
    <section id="webhooks">
      <h2>{texts.events}</h2>
      <p>{texts.eventsLead}</p>
      <p>
        <code>{Object.keys(openApi.webhooks).join(', ')}</code>
      </p>
      <p>{texts.eventsVerify}</p>
      <pre>{verification}</pre>
    </section>
  );
}
