/** What to do next after the first start. */
export function firstRunBanner(url: string, keyFile: string): string {
  return `
  hushpush is listening on ${url}

  Share a secret:     curl -d 'password[payload]=the secret' ${url}/p.json
  Create an account:  npx hushpush admin account invite you@example.com
  Read the API docs:  ${url}/docs

  The encryption keys were created now: ${keyFile}
  Back up that file, separately from the database. Without it nothing can be decrypted.

`;
}
