import type { Platform } from '../platform.ts';
import { presentResponse, respond } from '../responses.ts';
import type { Interaction } from '../things.ts';
import { shown } from './messages.ts';
import { Refused } from './refused.ts';
import type { Routes } from './route.ts';

/** https://docs.discord.com/developers/interactions/receiving-and-responding#create-interaction-response */
export const interactions: Routes = {
  create_interaction_response: {
    method: 'POST',
    path: '/interactions/{interaction_id}/{interaction_token}/callback',
    isOpen: true,
    run(platform, { params, query, body, files }) {
      const interaction = requireInteraction(platform, params.interaction_id, params.interaction_token);
      respond(platform, interaction, body, files);
      const { original } = interaction;
      const message = original && shown(platform, original);
      return query.get('with_response') === 'true' ? presentResponse(interaction, message) : undefined;
    },
  },
};

function requireInteraction({ world }: Platform, id = '', token = ''): Interaction {
  const interaction = world.interactions.get(token);
  if (interaction?.id === id) return interaction;
  throw new Refused(10062, 'create_interaction_response: an interaction that there never was');
}
