import type {
  BlockAction,
  ButtonAction,
  EnvelopedEvent,
  GlobalShortcut,
  MessageShortcut,
  SlashCommand,
  types,
  ViewSubmitAction,
  webApi,
} from '@slack/bolt';

/*
 * What Slack itself says of what it sends, accepts and responds with, in the types of its packages.
 */

type Optional<T, Name extends keyof T> = Omit<T, Name> & Partial<Pick<T, Name>>;

/** What it sends, by its type. */
export type Delivered = {
  block_actions: Optional<BlockAction<ButtonAction>, 'response_url'>; // only messages have it

  view_submission: ViewSubmitAction;
  shortcut: GlobalShortcut;
  message_action: MessageShortcut;
  slash_commands: SlashCommand;
  events_api: EnvelopedEvent<types.AppHomeOpenedEvent | types.AppUninstalledEvent | types.TokensRevokedEvent>;
};

/** What it shows. */
export type Shown = { blocks: types.KnownBlock[]; modal: types.ModalView; home: types.HomeView };

/** What it responds with, by the method. */
export type Responses = {
  'auth.test': webApi.AuthTestResponse;
  'chat.postMessage': Omit<webApi.ChatPostMessageResponse, 'message'>; // whose blocks are judged as such
  'chat.update': Omit<webApi.ChatUpdateResponse, 'message'>;
  'files.info': webApi.FilesInfoResponse;
  'oauth.v2.access': webApi.OauthV2AccessResponse;
  'usergroups.list': webApi.UsergroupsListResponse;
  'usergroups.users.list': webApi.UsergroupsUsersListResponse;
  'users.info': webApi.UsersInfoResponse;
  'users.list': webApi.UsersListResponse;
  'views.open': webApi.ViewsOpenResponse;
  'views.publish': webApi.ViewsPublishResponse;
  'views.push': webApi.ViewsPushResponse;
  'views.update': webApi.ViewsUpdateResponse;
};
