import type { webApi } from '@slack/bolt';
import { addressWorkspace, bindingWorkspace, type ChatCaller } from '../../domain/index.ts';
import { minuteMs } from '../../time.ts';
import { CardError } from '../errorCard.ts';
import { type FormSubmission, listIn, type Option } from '../form.ts';
import { cardsOf } from '../language.ts';
import { createLookup } from '../lookup.ts';
import { addressOf } from './caller.ts';

/** A menu holds so many options, with so long labels (docs.slack.dev, “Multi-select menu element”). */
const optionsMax = 100;
const labelMax = 75;
/** A form opens without groups rather than late. */
const timeoutMs = 500;

export type UserGroups = ReturnType<typeof createUserGroups>;

/** The user groups of workspaces, as recipients: where the operator wants that, and the app was granted it. */
export function createUserGroups({ readsUserGroups }: { readsUserGroups: boolean }) {
  const groupsOf = createLookup(readGroups, { freshForMs: 10 * minuteMs, entriesMax: 1_000, timeoutMs });

  /** For a menu. */
  async function options(client: webApi.WebClient, caller: ChatCaller): Promise<Option[]> {
    return readsUserGroups ? ((await groupsOf(client, bindingWorkspace(caller))) ?? []) : [];
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
    const members = await Promise.all(groups.map((group) => readMembers(client, caller, group)));
    const addresses = members.flat().map((user) => addressOf(addressWorkspace(caller.chatUser), user));
    const chosen = listIn(submission.values, 'recipients') ?? [];
    const recipients = [...new Set([...chosen, ...addresses.filter((address) => address !== own)])];
    return { ...submission, values: { ...submission.values, recipients } };
  }

  return { options, expand };
}

async function readGroups(client: webApi.WebClient, team_id: string): Promise<Option[]> {
  const { usergroups = [] } = await client.usergroups.list({ team_id });
  return usergroups
    .flatMap(({ id, name, handle }) =>
      id && name ? [{ label: `${name} (@${handle})`.slice(0, labelMax), value: id }] : [],
    )
    .sort((one, other) => one.label.localeCompare(other.label))
    .slice(0, optionsMax);
}

/** If Slack does not return a group, the command fails, so that no recipient is left out silently. */
async function readMembers(
  client: webApi.WebClient,
  caller: ChatCaller,
  usergroup: string,
): Promise<string[]> {
  try {
    const { users = [] } = await client.usergroups.users.list({
      usergroup,
      team_id: bindingWorkspace(caller),
    });
    return users;
  } catch {
    throw new CardError(cardsOf(caller).groupUnreadable);
  }
}
