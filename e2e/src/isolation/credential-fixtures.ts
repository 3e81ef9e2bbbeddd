import * as c from "@carrel/contracts";
import { plain, type Entry, type Fixture } from "./fixture.ts";

const params = { id: "00000000-0000-4000-8000-000000000000" };
/** It doesn't exist: credentials are the instance's, so only their policy matters here. */
const gone = (body?: unknown): Fixture => ({
  names: [],
  call: () => ({ params, ...(body !== undefined && { body }) }),
  allowed: [404],
});
const hosts = ["api.example.com"];
let created = 0;

export const credentialFixtures: Entry[] = [
  [c.listCredentials, plain],
  [
    c.createCredential,
    {
      ...plain,
      call: () => {
        created += 1;
        return { body: { name: `isolated-${created}`, hosts, value: "isolated-value" } };
      },
    },
  ],
  [c.replaceCredentialValue, gone({ value: "isolated-value" })],
  [c.updateCredentialHosts, gone({ hosts })],
  [c.deleteCredential, gone()],
];
