import { defaultPatienceMs } from '../shared/patience.ts';
import { holds } from '../shared/secrets.ts';
import { createFaults } from '../slack/faults.ts';
import { type Channel, createWorld, newId, type Team, type User } from './world.ts';

export type Platform = ReturnType<typeof createPlatform>;

/** A request of the app, or its response. */
type Call = { name: string; body: string };

export type Command = { id: string; team: Team; token: string; trigger: string; url: string };

/** A Mattermost server with one team and one bot, and what the app has sent to it. */
export function createPlatform({ patienceMs = defaultPatienceMs }: { patienceMs?: number } = {}) {
  const world = createWorld(patienceMs);
  const calls: Call[] = [];
  const complaints: string[] = [];
  const team: Team = { id: newId(), name: 'acme', members: new Map() };
  world.teams.push(team);
  const general: Channel = world.addChannel('general', team, []);
  const bot: User = world.addUser('hushpush', { isBot: true });
  team.members.set(bot, 'member');
  const tokens = new Map<string, User>();
  const commands: Command[] = [];
  const botToken = newId();
  tokens.set(botToken, bot);
  const at = { url: '' };

  return {
    ...{
      world,
      calls,
      complaints,
      faults: createFaults(),
      team,
      general,
      bot,
      botToken,
      tokens,
      commands,
      at,
    },
    record(name: string, body: string): void {
      calls.push({ name, body });
    },
    complain(what: string, problems: string[]): void {
      complaints.push(...problems.map((problem) => `${what}: ${problem}`));
    },
    /** Throws with all complaints, and where a secret is in something that the app sent or logged. */
    verify({ secrets, logs }: { secrets: string[]; logs: string[] }): void {
      const leaks = secrets.flatMap((secret) => [
        ...calls.filter(({ body }) => holds(body, secret)).map(({ name }) => `${name} holds a secret`),
        ...(logs.some((log) => holds(log, secret)) ? ['the log holds a secret'] : []),
      ]);
      const all = [...complaints.splice(0), ...leaks];
      if (all.length > 0) throw new Error(`Mattermost complains:\n${all.join('\n')}`);
    },
  };
}
