import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  ActionRowBuilder,
  type APIInteraction,
  type APIInteractionResponse,
  ApplicationCommandType,
  ButtonBuilder,
  ButtonStyle,
  Client,
  type ClientOptions,
  ContextMenuCommandBuilder,
  Events,
  FileUploadBuilder,
  type Interaction,
  LabelBuilder,
  MessageFlags,
  ModalBuilder,
  REST,
  type RESTOptions,
  SlashCommandBuilder,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
  UserSelectMenuBuilder,
} from 'discord.js';
import type { Discord } from './discord/discord.ts';

/** A real REST client of the bot. */
export function restOf(discord: Discord, options: Partial<RESTOptions> = {}): REST {
  return new REST({ api: discord.apiUrl, retries: 0, ...options }).setToken(discord.token);
}

/** discord.js waits five seconds between two IDENTIFY messages, as Discord requires. Here it need not. */
const hasty = { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }) };

/**
 * Once @slack/socket-mode is loaded, its undici also sends the requests of discord.js, and does not understand its forms with
 * files. discord.js documents `makeRequest` with Node's own fetch as the way around it.
 */
const makeRequest = fetch as RESTOptions['makeRequest'];

/** Runs a real discord.js client over the gateway, and registers commands for it. */
export async function startBot(
  discord: Discord,
  listen: (interaction: Interaction) => unknown = () => {},
  options: Partial<ClientOptions> = {},
) {
  const client = new Client({
    intents: [],
    rest: { api: discord.apiUrl, makeRequest },
    ws: hasty,
    ...options,
  });
  const errors: Error[] = [];
  client.on(Events.Error, (error) => errors.push(error));
  client.on(Events.ShardError, (error) => errors.push(error));
  client.on(Events.InteractionCreate, async (interaction) => listen(interaction));
  await client.login(discord.token);
  await discord.gateway.connected();
  await register(discord);
  return { client, errors, stop: () => client.destroy() };
}

/** Registers the commands of these tests. */
export async function register(discord: Discord, more: object[] = []): Promise<unknown> {
  const body = [...commands, ...more];
  return restOf(discord).put(`/applications/${discord.applicationId}/commands`, { body });
}

/** The response of a bot over HTTP: in the reply, or undefined if the bot makes the call itself. */
type InteractionHandler = (
  interaction: APIInteraction,
  rest: REST,
) => Promise<APIInteractionResponse | undefined>;

/** Runs a bot that Discord reaches over HTTP. It verifies signatures itself and calls with a real REST client. */
export async function startHttpBot(discord: Discord, take: InteractionHandler) {
  const rest = restOf(discord);
  const key = keyOf(discord.publicKey);
  const { url, stop } = await startRaw(async (res, bytes, req) => {
    if (!isSigned(key, bytes, req)) return res.writeHead(401).end('bad signature');
    const interaction = JSON.parse(bytes.toString());
    const response = interaction.type === 1 ? { type: 1 } : await take(interaction, rest);
    if (response === undefined) return res.writeHead(202).end();
    return res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(response));
  });
  discord.deliversTo(url);
  await register(discord);
  return { rest, url, stop };
}

function keyOf(publicKey: string): KeyObject {
  const key = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(publicKey, 'hex')]);
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

function isSigned(key: KeyObject, bytes: Buffer, { headers }: IncomingMessage): boolean {
  const timestamp = String(headers['x-signature-timestamp']);
  const signature = Buffer.from(String(headers['x-signature-ed25519'] ?? ''), 'hex');
  const isFresh = Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
  return isFresh && verify(null, Buffer.concat([Buffer.from(timestamp), bytes]), key, signature);
}

/** A server with given responses. */
export async function startRaw(
  answer: (res: ServerResponse, bytes: Buffer, req: IncomingMessage) => unknown,
) {
  const server = createServer(async (req, res) => answer(res, await buffer(req), req));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

type Failure = Error & { code?: number | string; status?: number; rawError?: Record<string, unknown> };

/** The error that a promise rejects with. Throws if it does not reject. */
export async function failure(action: Promise<unknown>): Promise<Failure> {
  try {
    await action;
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it did not fail');
}

export const ephemeral = MessageFlags.Ephemeral;
export const quiet = { flags: MessageFlags.SuppressEmbeds as const, allowedMentions: { parse: [] } };

export const button = (label: string, customId: string) =>
  new ButtonBuilder().setLabel(label).setCustomId(customId).setStyle(ButtonStyle.Danger);
export const link = (label: string, url: string) =>
  new ButtonBuilder().setLabel(label).setURL(url).setStyle(ButtonStyle.Link);
export const row = (...buttons: ButtonBuilder[]) =>
  new ActionRowBuilder<ButtonBuilder>().addComponents(buttons);

const text = (id: string) => new TextInputBuilder().setCustomId(id).setStyle(TextInputStyle.Paragraph);
const label = (words: string) => new LabelBuilder().setLabel(words);

/** A modal with fields for a secret, users, a lifetime and files. */
export const pushModal = new ModalBuilder()
  .setCustomId('push')
  .setTitle('New push')
  .addLabelComponents(
    label('Secret').setTextInputComponent(text('secret').setMinLength(3).setMaxLength(50)),
    label('Recipients').setUserSelectMenuComponent(
      new UserSelectMenuBuilder().setCustomId('people').setRequired(false).setMinValues(0).setMaxValues(2),
    ),
    label('Expires').setStringSelectMenuComponent(
      new StringSelectMenuBuilder()
        .setCustomId('expires')
        .addOptions({ label: 'A day', value: '1' }, { label: 'A week', value: '7', default: true }),
    ),
    label('Files').setFileUploadComponent(new FileUploadBuilder().setCustomId('files').setRequired(false)),
    label('Note').setTextInputComponent(text('note').setRequired(false)),
  );

const everywhere = { contexts: [0, 1, 2], integration_types: [0, 1] };

const commands = [
  new SlashCommandBuilder()
    .setName('push')
    .setDescription('Sends a secret')
    .addUserOption((option) => option.setName('recipient').setDescription('Who gets it'))
    .addIntegerOption((option) =>
      option.setName('views').setDescription('How often it opens').setMinValue(1).setMaxValue(100),
    )
    .addStringOption((option) =>
      option
        .setName('expires')
        .setDescription('How long it lives')
        .addChoices({ name: 'A day', value: 'd1' }, { name: 'A week', value: 'd7' }),
    ),
  new SlashCommandBuilder()
    .setName('pushes')
    .setDescription('Your pushes')
    .addSubcommand((one) => one.setName('list').setDescription('Shows them'))
    .addSubcommand((one) =>
      one
        .setName('expire')
        .setDescription('Ends one')
        .addStringOption((option) =>
          option.setName('push').setDescription('Which one').setAutocomplete(true).setRequired(true),
        ),
    ),
  new ContextMenuCommandBuilder().setName('Push securely').setType(ApplicationCommandType.Message),
  new ContextMenuCommandBuilder().setName('Send a secret').setType(ApplicationCommandType.User),
].map((command) => ({ ...command.toJSON(), ...everywhere }));
