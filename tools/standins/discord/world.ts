import { generateKeyPairSync } from 'node:crypto';
import type { Clock } from './clock.ts';
import { newToken } from './ids.ts';
import type {
  App,
  Arrival,
  Attachment,
  Guild,
  Interaction,
  Message,
  ModalView,
  Place,
  User,
} from './things.ts';

/** Discord's entire state. */
export function createWorld(clock: Clock) {
  const users: User[] = [];
  const guilds: Guild[] = [];
  const places: Place[] = [];
  const interactions = new Map<string, Interaction>();
  const modals: ModalView[] = [];
  const attachments = new Map<string, Attachment>();
  const arrivals: Arrival[] = [];
  const pastTokens = new Set<string>();
  const app = newApp('Hushpush');

  function addUser(name: string, more: Partial<User> = {}): User {
    const user = {
      id: clock.nextId(),
      name,
      displayName: name.charAt(0).toUpperCase() + name.slice(1),
      locale: 'en-GB',
      isBot: false,
      dmsRefusedWith: undefined,
      hasApp: false,
      role: 'manager' as const,
      ...more,
    };
    users.push(user);
    return user;
  }

  /** An app and its bot share one id. */
  function newApp(name: string): App {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const bot = addUser(name.toLowerCase(), { isBot: true, displayName: name });
    return {
      id: bot.id,
      name,
      bot,
      token: newToken(bot.id),
      publicKey: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex'),
      privateKey,
      interactionsUrl: undefined,
      commands: [],
      integrationTypes: [0, 1],
    };
  }

  /** Gives the app a new token. The old one stops working. */
  function resetToken(): void {
    pastTokens.add(app.token);
    app.token = newToken(app.id);
  }

  function addGuild(name: string, hasApp: boolean): Guild {
    const members = new Set(hasApp ? [app.bot] : []);
    const guild = { id: clock.nextId(), name, locale: 'en-US', members, hasApp };
    guilds.push(guild);
    return guild;
  }

  function addPlace(kind: Place['kind'], name: string, members: Set<User>, guild?: Guild): Place {
    const place = { id: clock.nextId(), kind, name, guild, members, messages: [] };
    places.push(place);
    return place;
  }

  /** The direct conversation of two users. */
  function dmOf(one: User, other: User): Place {
    const known = places.find(
      ({ kind, members }) => kind === 'dm' && members.has(one) && members.has(other) && one !== other,
    );
    return known ?? addPlace('dm', '', new Set([one, other]));
  }

  function post(message: Omit<Message, 'id' | 'deleted' | 'versions'>): Message {
    const posted: Message = { ...message, id: clock.nextId(), deleted: false, versions: [] };
    message.place.messages.push(posted);
    if (!posted.isLoading) arrive('posted', posted);
    return posted;
  }

  /** Changes a message. A deferred one becomes visible now. */
  function edit(message: Message, changes: Partial<Message>): void {
    const wasLoading = message.isLoading;
    Object.assign(message, changes, { isLoading: false });
    arrive(wasLoading ? 'posted' : 'edited', message);
  }

  function remove(message: Message): void {
    message.deleted = true;
    arrive('deleted', message);
  }

  function arrive(how: Arrival['how'], message: Message) {
    const { content, components } = message;
    if (how !== 'deleted') message.versions.push({ content, components, at: clock.now() });
    arrivals.push({ how, message });
    clock.changed();
  }

  /** Whether a user sees a message. */
  function sees(user: User, { place, onlyFor }: Message): boolean {
    return onlyFor ? onlyFor === user : membersOf(place).has(user);
  }

  return {
    app,
    users,
    guilds,
    places,
    interactions,
    modals,
    attachments,
    arrivals,
    pastTokens,
    resetToken,
    addUser,
    addGuild,
    addPlace,
    dmOf,
    post,
    edit,
    remove,
    sees,
  };
}

/** The users who see a place: in a server, all of its members. */
export function membersOf({ guild, members }: Place): Set<User> {
  return guild?.members ?? members;
}
