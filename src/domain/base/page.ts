/** The entries on a page of every list: of pushes, of what happened to one, of deliveries, of accounts. */
export const pageSize = 50;
