import type { ChatCaller } from '../../domain/index.ts';
import type { SubmitOptions } from '../commands/submit.ts';
import type { Commands } from '../commands.ts';
import type { FormSubmission } from '../form.ts';
import { languageOf } from '../language.ts';
import { createOutcomes, type Outcome } from '../outcome.ts';
import { formPlans, type Opening } from './openings.ts';
import { type CardPlace, createPressPlans, type Press } from './presses.ts';
import { createFormBuilder } from './roomyForm.ts';
import { createTypedCommands } from './typed.ts';

/** What a button does: it opens a form, or has an outcome, whose place is known before it is. */
export type Pressed =
  /** `replaces` says whether the result of the form replaces the message with the button, where it has one. */
  { opening: Opening; replaces: boolean | undefined } | RunningPress;

/** A `question` stands in the place of the message. */
export type RunningPress = { shows: CardPlace | 'question'; title: string; outcome: Promise<Outcome> };

export type Interactions = ReturnType<typeof createInteractions>;

/** What people do in any chat. An adapter says what somebody did, and shows what comes of it. */
export function createInteractions(dependencies: { commands: Commands; onError: (error: unknown) => void }) {
  const { commands } = dependencies;
  const outcomes = createOutcomes(dependencies);
  const plans = createPressPlans(commands);

  /** What the button of an action does. A card in the place of a message also says where our messages do not reach the caller. */
  function press(action: string, pressed: Press): Pressed | undefined {
    const { [action]: plan } = plans;
    const { [action]: form } = formPlans;
    if (form !== undefined) return { opening: form.open(pressed.value), replaces: form.replaces };
    if (plan === undefined) return undefined;
    if (plan.shows === 'question') {
      const asked = Promise.resolve({ card: plan.ask(pressed), hasFailed: false });
      return { shows: plan.shows, title: '', outcome: asked };
    }
    const { shows, title } = plan;
    const outcomeOf = shows === 'instead' ? outcomes.hintedOutcomeOf : outcomes.outcomeOf;
    const { buttons } = languageOf(pressed.caller).messages.chat;
    return {
      shows,
      title: title === undefined ? '' : buttons[title],
      outcome: outcomeOf(pressed.caller, plan.run(pressed)),
    };
  }

  return {
    commands,
    ...outcomes,
    press,
    ...createTypedCommands(commands, outcomes),
    buildForm: createFormBuilder(commands),
    /** Does what a submitted form is for. */
    submit: (caller: ChatCaller, submission: FormSubmission, options?: SubmitOptions): Promise<Outcome> =>
      outcomes.hintedOutcomeOf(caller, commands.submit(caller, submission, options)),
  };
}
