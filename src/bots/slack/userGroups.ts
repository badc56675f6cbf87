import type { webApi } from '@slack/bolt';
import { addressWorkspace, bindingWorkspace, type ChatCaller } from '../../domain/index.ts';
import { CardError } from '../errorCard.ts';
import { type FormSubmission, listIn, type Option } from '../form.ts';
import { cardsOf } from '../language.ts';
import { createLookup } from '../lookup.ts';
import { addressOf } from './caller.ts';
import type { SlackSettings } from './settings.ts';

/** A menu holds so many options, with so long labels (docs.slack.dev, “Multi-select menu element”). */
const optionsMax = 100;
const labelMax = 75;
/** A form opens without groups rather than late. */
const timeoutMs = 500;

export type UserGroups = ReturnType<typeof createUserGroups>;

/** The user groups of workspaces, as recipients: where the operator wants that, and the app was granted it. */
export function createUserGroups({ SLACK_USER_GROUPS: readsUserGroups }: SlackSettings) {
  const groupsOf = createLookup(readGroups, { entriesMax: 1_000, timeoutMs });

  /** For a menu. */
  async function options(client: webApi.WebClient, caller: ChatCaller): Promise<Option[]> {
    return readsUserGroups ? ((await groupsOf(bindingWorkspace(caller), client)) ?? []) : [];
  }

  /** The form with the members of the chosen groups among its recipients: each once, and not the sender. */
  async function expand(
    client: webApi.WebClient,
    caller: ChatCaller,
    submission: FormSubmission,
  ): Promise<FormSubmission> {
    const groups = listIn(submission.values, 'groups') ?? [];
    if (groups.length === 0) return submission;
    const { address: own } = caller.chatUser;
    const team_id = bindingWorkspace(caller);
    const reading = groups.map((usergroup) => client.usergroups.users.list({ usergroup, team_id }));
    const read = await Promise.all(reading).catch(() => {
      throw new CardError(cardsOf(caller).groupUnreadable); // or recipients would be left out silently
    });
    const members = read.flatMap(({ users = [] }) => users);
    const addresses = members.map((user) => addressOf(addressWorkspace(caller.chatUser), user));
    const chosen = listIn(submission.values, 'recipients') ?? [];
    const recipients = [...new Set([...chosen, ...addresses.filter((address) => address !== own)])];
    return { ...submission, values: { ...submission.values, recipients } };
  }

  return { options, expand };
}

async function readGroups(team_id: string, client: webApi.WebClient): Promise<Option[]> {
  const { usergroups = [] } = await client.usergroups.list({ team_id });
  return usergroups
    .flatMap(({ id, name, handle }) =>
      id && name ? [{ label: `${name} (@${handle})`.slice(0, labelMax), value: id }] : [],
    )
    .sort((one, other) => one.label.localeCompare(other.label))
    .slice(0, optionsMax);
}
