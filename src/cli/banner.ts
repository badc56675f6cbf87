/** What whoever starts the service for the first time needs to know. */
export function firstRunBanner(url: string, keyFile: string): string {
  return `
  hushpush listens on ${url}

  Share a secret:    curl -d 'password[payload]=the secret' ${url}/p.json
  Make an account:   npx hushpush account create you@example.com
  Read the API:      ${url}/docs

  The keys that seal every secret were made just now: ${keyFile}
  Keep a copy of that file away from the database; without it nothing can be read.

`;
}
