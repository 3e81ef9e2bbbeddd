import type { CredentialStore } from "./flow-secrets.ts";

export const noCredentials: CredentialStore = {
  open: () => Promise.resolve(new Map()),
  noteUse: () => Promise.resolve(),
};
