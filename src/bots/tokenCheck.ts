/** What a chat says about a credential. `refused` and `unreachable` come with its reason, which holds no secret. */
export type TokenCheck = { setting: string; result: 'accepted' | 'refused' | 'unreachable'; reason?: string };
