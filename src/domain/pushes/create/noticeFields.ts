import { z } from 'zod';
import { asMessage, isBlank, optionalFlag } from '../../base/index.ts';
import { type NoticeSwitch, noticeKinds, noticeSwitches, viewedOptions } from '../../outbox/index.ts';

/** The notices that the creator chose. Unset ones follow the account's preferences. */
export function noticeFields() {
  return z.preprocess(
    (value) => value ?? {},
    z.object(
      {
        viewed: z
          .preprocess(
            (value) => (isBlank(value) ? undefined : value),
            z.enum(viewedOptions, asMessage({ code: 'oneOf', values: viewedOptions })).optional(),
          )
          .meta({ description: noticeKinds.viewed.description }),
        ...(Object.fromEntries(
          noticeSwitches.map((kind) => [
            kind,
            optionalFlag().meta({ description: noticeKinds[kind].description }),
          ]),
        ) as Record<NoticeSwitch, ReturnType<typeof optionalFlag>>),
      },
      asMessage({ code: 'object' }),
    ),
  );
}
