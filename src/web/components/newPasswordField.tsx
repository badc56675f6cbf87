import type { PageContext } from '../pageContext.ts';
import { TextField } from './fields.tsx';

type NewPasswordFieldProps = {
  page: PageContext;
  name: string;
  label: string;
  problem: string | undefined;
  autofocus?: boolean;
};

/** A field for a new password. */
export function NewPasswordField({ page, ...field }: NewPasswordFieldProps) {
  return (
    <TextField
      {...field}
      type="password"
      autocomplete="new-password"
      minLength={12}
      required
      hint={page.messages.signUp.passwordHint}
    />
  );
}
