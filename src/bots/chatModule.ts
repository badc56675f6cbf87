import type { z } from 'zod';
import type { ChatCaller, Domain, FindStanding } from '../domain/index.ts';
import type { Look } from '../look/look.ts';
import type { Platform } from '../platforms.ts';
import type { Card } from './card.ts';
import type { ChatTransport } from './directMessages.ts';
import type { ChatEndpoint } from './endpoint.ts';
import type { TokenCheck } from './failure.ts';
import type { Interactions } from './interactions/interactions.ts';

/**
 * What the rest of hushpush knows of a chat before it is opened: settings, checks and start follow from it. It loads
 * neither the domain nor the chat's library.
 */
export type ChatModule<Shape extends z.ZodRawShape = z.ZodRawShape> = {
  /** The settings by their names in the environment. */
  settings: Shape;
  /** The chat is on where one of these is set. */
  credentials: readonly (keyof Shape & string)[];
  /** The settings that it needs then, each with when it does; always where that is empty. */
  required(config: SettingsOf<Shape>): { [Name in keyof Shape]?: string };
  /** The chat, by settings that lack nothing. `baseUrl` is where people reach the service. */
  of(config: SettingsOf<Shape>, baseUrl: string): OpenableChat;
};

export type SettingsOf<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

type OpenableChat = {
  /** How interactions come in, and the setting that avoids requests to us, if there is one. */
  receives: 'http' | 'socket';
  alternative?: string;
  open(dependencies: AdapterDependencies): Promise<ChatAdapter>;
  /** Asks the chat whether it accepts the credentials. */
  check(): Promise<TokenCheck[]>;
};

/** A chat that is on. */
export type ActiveChat = OpenableChat & { platform: Platform };

export type AdapterDependencies = {
  domain: Domain;
  interactions: Interactions;
  look: Look;
  /** Called with failures that are reported nowhere else. */
  onError: (error: unknown) => void;
};

export type ChatAdapter = {
  transport: ChatTransport;
  /** What the chat says of people in workspaces, which rules depend on. */
  standings: FindStanding;
  /** Serves interactions: at the endpoints from now on, and over outgoing connections from `start` to `stop`. */
  listen(): ChatListener;
  /** Registers the commands now, where they are registered. Resolves to their number. */
  register?(): Promise<number>;
  /** Does with the real chat what is needed of it, with one of its users, and says what differs. */
  rehearse?(user: string): Promise<RehearsedStep[]>;
};

/** One thing that is needed of a chat, and how it differs from what its documentation says, if it does. */
export type RehearsedStep = { step: string; differs?: string };

export type ChatListener = {
  endpoints: ChatEndpoint[];
  /** `ready` resolves to whether the database can be used. */
  start?(ready: Promise<boolean>): Promise<unknown>;
  stop?(): Promise<unknown>;
  /** Shows a card where a compose link was asked for, by what its `replyTo` says. */
  respondAt?(replyTo: string, card: Card, caller: ChatCaller): Promise<unknown>;
};
