import type { LockedLink } from './lockPushes.ts';
import type { View } from './view.ts';

/** Whether the push and its link have a view left, after those that the transaction is going to count. */
export function hasViewLeft({ push, row, recipientViews }: LockedLink): boolean {
  if (push.row.viewsUsed + push.views >= push.row.viewsMax) return false;
  if (row.recipient === null) return true;
  const { linkViewsMax, linkViewsUsed, linkExpiresAt } = row.recipient;
  const worksOnce = linkExpiresAt !== null;
  return linkViewsUsed + recipientViews < linkViewsMax && !(worksOnce && recipientViews > 0);
}

/** Whether all views that are left belong to recipients. */
export function isReserved({ push: { row, views, reservedViews } }: LockedLink): boolean {
  return row.viewsUsed + views + row.viewsReserved - reservedViews >= row.viewsMax;
}

/** Counts a view of a link, and returns how many views of the push and of its recipient are used with it. */
export function countView(
  link: LockedLink,
): Pick<View, 'push' | 'link' | 'viewsUsed' | 'recipientViewsUsed'> {
  const { push, row } = link;
  push.views += 1;
  if (row.recipient !== null) {
    push.reservedViews += 1;
    link.recipientViews += 1;
  }
  return {
    push: push.row,
    link: row,
    viewsUsed: push.row.viewsUsed + push.views,
    recipientViewsUsed: (row.recipient?.linkViewsUsed ?? 0) + link.recipientViews,
  };
}
