import { type Fields, fieldsOf, isFields } from '../../shared/json.ts';
import type { Platform } from '../platform.ts';
import { validateView } from '../schema/validity.ts';
import type { Grant, Trigger, View } from '../things.ts';
import { presentView, replace, show } from '../viewing.ts';
import { readScope } from './files.ts';
import { type Methods, Refused, refuseArguments } from './method.ts';

const mostStacked = 3;
const mostBytes = 250_000;

export const views: Methods = {
  'views.open': {
    by: 'bot',
    run: (platform, grant, args) => {
      const content = requireView(platform, 'views.open', 'modal', args);
      requireFileScope(grant, content);
      const { user, id } = spend(platform, grant, 'views.open', args);
      return { view: presentView(show(platform, content, { app: grant.app, grant, user, triggerId: id })) };
    },
  },
  'views.push': {
    by: 'bot',
    run: (platform, grant, args) => {
      const content = requireView(platform, 'views.push', 'modal', args);
      const { user, id, view: on } = spend(platform, grant, 'views.push', args);
      if (!on?.isOpen) throw new Refused('not_found', { complaint: 'views.push where no modal is open' });
      const stack = platform.world.views.filter(({ rootId, isOpen }) => rootId === on.rootId && isOpen);
      if (stack.length >= mostStacked)
        throw new Refused('push_limit_reached', { complaint: 'a fourth modal on a stack' });
      return {
        view: presentView(show(platform, content, { app: grant.app, grant, user, triggerId: id, on })),
      };
    },
  },
  'views.update': {
    by: 'bot',
    run: (platform, grant, args) => {
      const content = requireView(platform, 'views.update', 'modal', args, 'known');
      const view = platform.world.views.find(
        ({ id, externalId, app, isOpen }) =>
          app === grant.app &&
          isOpen &&
          (id === args.view_id || (externalId !== '' && externalId === args.external_id)),
      );
      if (!view) throw new Refused('not_found');
      requireHash(view, args);
      replace(platform, view, content);
      return { view: presentView(view) };
    },
  },
  'views.publish': {
    by: 'bot',
    run: (platform, grant, args) => {
      const content = requireView(platform, 'views.publish', 'home', args);
      const user = platform.world.users.find(
        ({ id, team }) => id === args.user_id && platform.world.reaches(grant, team),
      );
      if (!user || user.isBot) refuseArguments('invalid_arguments', 'views.publish', ['invalid user_id']);
      const shown = platform.world.views.find(
        (view) => view.type === 'home' && view.isOpen && view.user === user && view.app === grant.app,
      );
      if (!shown) return { view: presentView(show(platform, content, { app: grant.app, grant, user })) };
      requireHash(shown, args);
      replace(platform, shown, content);
      return { view: presentView(shown) };
    },
  },
};

/** The validated view of a call. Its external id must be new, unless the view is `known`. */
function requireView(
  { world }: Platform,
  where: string,
  kind: 'modal' | 'home',
  { view }: Fields,
  known?: 'known',
): Fields {
  if (!isFields(view))
    refuseArguments('invalid_arguments', where, ['missing required field: view [json-pointer:/view]']);
  const wrong = validateView(kind, view);
  if (wrong.length > 0) refuseArguments('invalid_arguments', where, wrong);
  if (JSON.stringify(view).length > mostBytes)
    throw new Refused('view_too_large', { complaint: `${where}: too large` });
  const isTaken = world.views.some(
    ({ externalId, isOpen }) => isOpen && externalId !== '' && externalId === view.external_id,
  );
  if (isTaken && !known && kind === 'modal')
    throw new Refused('duplicate_external_id', { complaint: `${where}: external_id` });
  return fieldsOf(view);
}

/** Only an app that may read files may ask for them. */
function requireFileScope({ scopes }: Grant, content: Fields): void {
  if (!scopes.includes(readScope) && JSON.stringify(content.blocks).includes('"file_input"'))
    refuseArguments('invalid_arguments', 'views.open', [`file_input needs the scope ${readScope}`]);
}

/** Consumes a trigger. Each is valid for one view and three seconds. */
function spend({ world, clock }: Platform, grant: Grant, where: string, { trigger_id }: Fields): Trigger {
  const trigger = world.triggers.get(String(trigger_id));
  if (trigger?.app !== grant.app) {
    throw new Refused('invalid_trigger_id', {
      complaint: `${where} with a trigger that Slack never gave out`,
    });
  }
  if (trigger.used)
    throw new Refused('exchanged_trigger_id', { complaint: `${where} with a trigger that was used before` });
  if (trigger.expiresAt <= clock.now()) {
    throw new Refused('expired_trigger_id', {
      complaint: `${where} more than three seconds after its trigger`,
    });
  }
  trigger.used = true;
  return trigger;
}

function requireHash(view: View, { hash }: Fields): void {
  if (hash !== undefined && hash !== view.hash) throw new Refused('hash_conflict');
}
