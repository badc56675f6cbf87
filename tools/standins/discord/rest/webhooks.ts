import { fieldsOf } from '../../shared/json.ts';
import type { Platform } from '../platform.ts';
import { describe } from '../responses.ts';
import { flag, type Interaction, type Message } from '../things.ts';
import { rewrite, write } from '../writing.ts';
import { shown } from './messages.ts';
import { Refused } from './refused.ts';
import type { Request, Route, Routes } from './route.ts';

const tokenLifeMs = 15 * 60_000;
const followUpsWithoutInstall = 5;
const path = '/webhooks/{webhook_id}/{webhook_token}';

/** https://docs.discord.com/developers/interactions/receiving-and-responding#followup-messages */
export const webhooks: Routes = {
  execute_webhook: { method: 'POST', path, isOpen: true, run: followUp },
  get_original_webhook_message: original('GET'),
  update_original_webhook_message: original('PATCH'),
  delete_original_webhook_message: original('DELETE'),
  get_webhook_message: any('GET'),
  update_webhook_message: any('PATCH'),
  delete_webhook_message: any('DELETE'),
};

type Method = 'GET' | 'PATCH' | 'DELETE';

function original(method: Method): Route {
  return { method, path: `${path}/messages/@original`, isOpen: true, run: acting(method, () => '@original') };
}

function any(method: Method): Route {
  const id = ({ params }: Request) => params.message_id ?? '';
  return { method, path: `${path}/messages/{message_id}`, isOpen: true, run: acting(method, id) };
}

function acting(method: Method, idOf: (request: Request) => string): Route['run'] {
  return (platform, request) => {
    const message = requireMessage(requireAnswered(platform, request), idOf(request));
    if (method === 'DELETE') return void platform.world.remove(message);
    if (method === 'PATCH') {
      const operation = 'the change of an answer';
      rewrite(platform, message, { operation, body: fieldsOf(request.body), files: request.files });
    }
    return shown(platform, message);
  };
}

function followUp(platform: Platform, request: Request) {
  const interaction = requireAnswered(platform, request);
  const { user, place, owners } = interaction;
  const body = fieldsOf(request.body);
  const operation = 'execute_webhook';
  if (interaction.original?.isLoading) {
    rewrite(platform, interaction.original, { operation, body, files: request.files });
    return shown(platform, interaction.original);
  }
  if (owners['0'] === undefined && interaction.followUpCount >= followUpsWithoutInstall)
    throw new Refused(
      40094,
      `${describe(interaction)}: more than ${followUpsWithoutInstall} messages followed`,
    );
  const onlyFor = Number(body.flags ?? 0) & flag.ephemeral ? user : undefined;
  const message = write(platform, { operation, place, body, files: request.files, onlyFor, interaction });
  interaction.followUps.push(message);
  interaction.followUpCount += 1;
  return shown(platform, message);
}

/** The interaction of a token, which is valid for 15 minutes and only after the first response. */
function requireAnswered({ world, clock }: Platform, { params }: Request): Interaction {
  const interaction = world.interactions.get(params.webhook_token ?? '');
  if (!interaction || params.webhook_id !== world.app.id)
    throw new Refused(10015, 'a webhook that there never was');
  if (!interaction.response)
    throw new Refused(10015, `${describe(interaction)} was not answered yet, or in time`);
  if (clock.now() - interaction.at <= tokenLifeMs) return interaction;
  throw new Refused(50027, `${describe(interaction)} was more than 15 minutes ago`);
}

function requireMessage(interaction: Interaction, id: string): Message {
  const { original: first, followUps } = interaction;
  const found = id === '@original' ? first : [first, ...followUps].find((one) => one?.id === id);
  if (found && !found.deleted) return found;
  throw new Refused(10008, `${describe(interaction)} has no such message`);
}
