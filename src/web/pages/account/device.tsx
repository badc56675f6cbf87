import { type DeviceRequest, tokenScopes } from '../../../domain/index.ts';
import { cardPage } from '../../components/cardPage.tsx';
import { RadioGroup, Select } from '../../components/choices.tsx';
import { TextField } from '../../components/fields.tsx';
import { Form, SubmitButton } from '../../components/form.tsx';
import { LabelledTime } from '../../components/time.tsx';
import type { PageContext } from '../../pageContext.ts';
import { lifetimesInDays } from './tokens.tsx';

/** Asks for the code that a program shows. */
export function deviceCodePage(
  page: PageContext,
  { code, problem }: { code?: string | undefined; problem?: string | undefined },
): string {
  const { device } = page.messages;
  return cardPage(page, {
    title: device.title,
    current: 'account',
    lead: device.lead,
    children: (
      <Form page={page} action="/device">
        <TextField
          name="code"
          label={device.code}
          hint={device.codeHint}
          value={code}
          problem={problem}
          autocomplete="off"
          autocapitalize="characters"
          maxLength={20}
          required
          autofocus
        />
        <SubmitButton text={device.goOn} />
      </Form>
    ),
  });
}

/** Says which program asks, and asks whether it may. */
export function deviceRequestPage(
  page: PageContext,
  { userCode, name, scope, ...from }: DeviceRequest,
): string {
  const { device, tokens, amount } = page.messages;
  const code = `${userCode.slice(0, 4)}-${userCode.slice(4)}`;
  return cardPage(page, {
    title: device.askTitle,
    current: 'account',
    lead: device.ask(name),
    children: (
      <>
        <ul>
          <li>
            {device.code}: <code>{code}</code>
          </li>
          <li>{device.from(from.ip, from.userAgent)}</li>
          <li>
            <LabelledTime messages={page.messages} label={device.since} at={from.createdAt} />
          </li>
        </ul>
        <p class="warning">{device.warning}</p>
        <Form page={page} action="/device/allow" fields={{ code: userCode }}>
          <TextField name="name" label={tokens.name} value={name} maxLength={100} required />
          <RadioGroup
            name="scope"
            class="field"
            label={tokens.scope}
            options={tokenScopes.map((value) => ({ value, text: tokens.scopes[value] }))}
            value={scope}
          />
          <Select
            name="days"
            label={tokens.lifetime}
            options={[
              ...lifetimesInDays.map((days) => ({ value: String(days), text: amount(days, 'day') })),
              { value: '', text: tokens.unlimited },
            ]}
            value="90"
          />
          <SubmitButton text={device.allow} />
        </Form>
        <Form page={page} action="/device/deny" fields={{ code: userCode }}>
          <SubmitButton class="secondary" text={device.deny} />
        </Form>
      </>
    ),
  });
}
