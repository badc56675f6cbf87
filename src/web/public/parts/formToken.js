/** Takes over the token of a new form, and returns whether that belongs to the same account, or to none as well. @param {Document} page */
export function takeToken(page) {
  const [account, newAccount] = inputs(page, 'account');
  const [token, newToken] = inputs(page, 'csrf');
  if (token && newToken) token.value = newToken.value;
  const isSame = account?.value === newAccount?.value;
  if (account && newAccount && newAccount.value !== 'ended') account.value = newAccount.value;
  return isSame;
}

/** A field of the form for a new push, and of the same form on another page. @param {Document} page @param {string} name */
export const inputs = (page, name) =>
  [document, page].map((each) => {
    const field = each.querySelector(`#new-push [name=${name}]`);
    return field instanceof HTMLInputElement ? field : undefined;
  });
