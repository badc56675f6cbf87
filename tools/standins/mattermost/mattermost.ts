import type { Fault } from '../slack/faults.ts';
import { createActs } from './acts.ts';
import { createPerson, type Person } from './people.ts';
import { createPlatform } from './platform.ts';
import { startServer } from './server.ts';
import { timelineOf } from './timeline.ts';
import { newId, type Role, type User } from './world.ts';

export type Mattermost = Awaited<ReturnType<typeof startMattermost>>;

type Settings = { patienceMs?: number; triggerLifeMs?: number };
type NewUser = Partial<User> & { role?: Role };

/**
 * Starts a Mattermost server on 127.0.0.1 that behaves as the source of the real one says. It has one team, one bot, and
 * one command. Everything that the app sends is recorded and validated.
 *
 *     const mattermost = await startMattermost();
 *     mattermost.deliversTo('http://127.0.0.1:3000');             // the address of the service
 *     const alice = mattermost.user('alice');
 *     const dialog = await alice.runs('/push').modal();
 *     const answer = await dialog.fill({ Secret: 'tulip', Recipients: [bob] }).submit().message();
 *     await answer.press('Audit');
 *     mattermost.verify({ secrets: ['tulip'], logs: [] });        // throws with all complaints
 *     await mattermost.stop();
 */
export async function startMattermost({ patienceMs, triggerLifeMs }: Settings = {}) {
  const platform = createPlatform({ ...(patienceMs && { patienceMs }) });
  const { world, team, general, faults } = platform;
  const acts = createActs(platform, () => server);
  const server = await startServer(platform, { ...(triggerLifeMs && { triggerLifeMs }), acts });
  const people = new Map<string, Person>();
  const commandToken = newId();

  /** The user with this name, created at the first call as a member of the team. */
  function user(name: string, { role = 'member', ...more }: NewUser = {}): Person {
    const known = people.get(name);
    if (known !== undefined) return known;
    const added = world.addUser(name, more);
    team.members.set(added, role);
    general.members.add(added);
    const person = createPerson({ platform, acts }, added);
    people.set(name, person);
    return person;
  }

  return {
    ...{ user, platform, commandToken, botToken: platform.botToken, url: platform.at.url, team, acts },
    /** Registers the command of the team, for a service at this address. */
    deliversTo(baseUrl: string): void {
      const url = `${baseUrl}/mattermost/commands`;
      platform.commands.push({ id: newId(), team, token: commandToken, trigger: 'push', url });
    },
    /** Changes what somebody is in the team. */
    makes: (person: Person, role: Role) => void team.members.set(person.user, role),
    disturb: (name: string, fault: Fault, more: { times?: number } = {}) => faults.add(name, fault, more),
    calls: (name?: string) => platform.calls.filter((call) => name === undefined || call.name === name),
    /** All that the bot said until now, in order, as people read it. */
    timeline: () => timelineOf(platform),
    until: world.until,
    passes: world.moveAhead,
    takeComplaints: () => platform.complaints.splice(0),
    verify: platform.verify,
    stop: server.close,
  };
}
