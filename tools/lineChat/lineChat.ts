import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type Button, type Card, inMarkup, plainMarkup } from '../../src/bots/card.ts';
import type { AdapterDependencies, ChatAdapter } from '../../src/bots/chatModule.ts';
import {
  type FormSpec,
  type FormValues,
  type InputField,
  inputsOf,
  isListField,
} from '../../src/bots/form.ts';
import { fieldErrors } from '../../src/bots/interactions/fieldErrors.ts';
import type { Opening } from '../../src/bots/interactions/openings.ts';
import { peopleIn, timeInWords } from '../../src/bots/inWords.ts';
import { cardsOf, languageOf } from '../../src/bots/language.ts';
import { type ChatCaller, outside, type Platform } from '../../src/domain/index.ts';

/** `platform` is where a real chat has an entry of its own in `src/platforms.ts`. */
type Dependencies = Omit<AdapterDependencies, 'domain' | 'look'> & { platform: Platform; port: number };

/** A person who is connected, the buttons that they have seen, and the form that they fill in. */
type Session = {
  socket: Socket;
  address: string;
  name: string;
  buttons: Button[];
  form?: FormSpec;
  values: FormValues;
};

class Unreachable extends Error {}

/**
 * The smallest chat: people connect over TCP and write lines. `hello ADDRESS NAME` comes first, then commands, `press NUMBER`,
 * `FIELD=VALUE` for an open form, and `submit`.
 */
export function createLineChat({ interactions, onError, platform, port }: Dependencies): ChatAdapter {
  const sessions = new Map<string, Session>();
  let keys = 0;

  const callerOf = ({ address }: Session): ChatCaller => ({
    chatUser: { platform, address },
    workspace: outside,
    idempotencyKey: `line ${process.pid} ${Date.now()} ${keys++}`,
  });

  const findPeople = async (names: string[]) =>
    names.map((name) => [...sessions.values()].find((each) => each.name === name)?.address);

  /** A card as lines, with its buttons numbered in the order of the conversation. */
  function show(session: Session, card: Card): void {
    const names = new Map(peopleIn(card).map((address) => [address, sessions.get(address)?.name ?? address]));
    const text = (line: Card['summary']) =>
      inMarkup(line, {
        ...plainMarkup,
        person: (address) => `@${names.get(address)}`,
        time: (time) => timeInWords(time, {}),
      });
    const buttonText = (button: Button) => {
      if ('url' in button) return `${button.label}: ${button.url}`;
      return `[${session.buttons.push(button)}] ${button.label}`;
    };
    const { lines, summary, items = [], footnotes = [], buttons = [] } = card;
    write(session, [
      ...(lines.length > 0 ? lines : [summary]).map(text),
      ...items.flatMap((item) => [text(item.line), ...item.buttons.map(buttonText)]),
      ...footnotes.map(text),
      ...buttons.map(buttonText),
    ]);
  }

  const write = ({ socket }: Session, lines: string[]) => void socket.write(`${lines.join('\n')}\n\n`);

  async function open(session: Session, opening: Opening): Promise<void> {
    const { form, save } = await interactions.buildForm(callerOf(session), opening, { textMax: 10_000 });
    await save();
    session.form = form;
    session.values = Object.fromEntries(inputsOf(form).map((field) => [field.name, initialOf(field)]));
    write(session, [form.title, ...inputsOf(form).map(({ name, label }) => `${name}= ${label}`)]);
  }

  async function submit(session: Session, form: FormSpec): Promise<void> {
    const caller = callerOf(session);
    const { id, state } = form;
    const outcome = await interactions.submit(caller, { id, state, values: session.values });
    if (outcome?.hasFailed) {
      const errors = fieldErrors(
        inputsOf(form).map(({ name }) => name),
        outcome,
        languageOf(caller),
      );
      return write(
        session,
        Object.entries(errors).map(([name, error]) => `${name}: ${error}`),
      );
    }
    delete session.form;
    if (outcome !== undefined) show(session, outcome.card);
  }

  async function press(session: Session, button: Button): Promise<void> {
    const caller = callerOf(session);
    const pressed = interactions.press(button.id, { caller, value: button.value ?? '' });
    if (pressed === undefined) return show(session, cardsOf(caller).notFound);
    if ('opening' in pressed) return open(session, pressed.opening);
    const outcome = await pressed.outcome;
    if (outcome !== undefined) show(session, outcome.card);
  }

  async function onLine(session: Session, line: string): Promise<void> {
    const [, number] = /^press (\d+)$/.exec(line) ?? [];
    const button = number === undefined ? undefined : session.buttons[Number(number) - 1];
    const { form } = session;
    const [, field = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    const input = form && inputsOf(form).find(({ name }) => name === field);
    if (button !== undefined) return press(session, button);
    if (form !== undefined && line === 'submit') return submit(session, form);
    if (input !== undefined) {
      session.values[field] = isListField(input)
        ? value.split(' ').filter((each) => each !== '')
        : value || undefined;
      return;
    }
    const text = line.replace(/^\/push ?/, '');
    const reaction = await interactions.react({
      ...{ caller: callerOf(session), text, name: session.name, findPeople },
    });
    if (reaction !== undefined && 'card' in reaction) show(session, reaction.card);
    else if (reaction !== undefined) await open(session, reaction.opening);
  }

  function onConnection(socket: Socket): void {
    let session: Session | undefined;
    let done: Promise<unknown> = Promise.resolve();
    socket.on('error', () => {}).on('close', () => session && sessions.delete(session.address));
    createInterface(socket).on('line', (line) => {
      const [, address, name] = /^hello (\S+) (\S+)$/.exec(line) ?? [];
      if (address !== undefined && name !== undefined) {
        session = { socket, address, name, buttons: [], values: {} };
        sessions.set(address, session);
      } else if (session !== undefined) {
        const current = session;
        done = done
          .then(() => onLine(current, line))
          .catch((error: unknown) => {
            onError(error);
            show(current, cardsOf().internalError);
          });
      }
    });
  }

  /** Messages are lines like all others, so none can be edited. */
  const transport = {
    async maybeOpen(address: string) {
      const send = async (card: Card) => {
        const session = sessions.get(address);
        if (session === undefined) throw new Unreachable();
        show(session, card);
        return { channel: address, message: String(keys++) };
      };
      return { locale: undefined, send, edit: (_message: unknown, card: Card) => send(card) };
    },
    explain: (error: unknown) =>
      error instanceof Unreachable ? { reason: 'nobody is connected', isUnreachable: true } : undefined,
  };

  return {
    transport,
    standings: async () => undefined, // there are no workspaces
    listen() {
      const server = createServer(onConnection);
      return {
        endpoints: [],
        start: () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve)),
        async stop() {
          for (const { socket } of sessions.values()) socket.destroy();
          server.close();
        },
      };
    },
  };
}

function initialOf(field: InputField): string | string[] | undefined {
  if (isListField(field)) return 'selected' in field && Array.isArray(field.selected) ? field.selected : [];
  return 'selected' in field && typeof field.selected === 'string' ? field.selected : undefined;
}
