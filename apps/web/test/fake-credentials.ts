import {
  createCredential,
  deleteCredential,
  listCredentials,
  replaceCredentialValue,
  updateCredentialHosts,
  type CredentialOwner,
  type CredentialWire,
} from "@carrel/contracts";
import { answered, matcher, type FakeCall } from "./fake-call.ts";

/** Credentials of the fake gateway; none at first. */
export class FakeCredentials {
  credentials: CredentialWire[] = [];
  /** Bodies of calls that change them. */
  readonly sent: { method: string; path: string; body: Record<string, unknown> }[] = [];

  add(name: string, more: Partial<CredentialWire> = {}): CredentialWire {
    const credential: CredentialWire = {
      id: `0000000${this.credentials.length}-2222-4222-8222-222222222222`,
      name,
      owner: { kind: "instance" },
      hosts: ["api.example.com"],
      lastCharacters: "4f2a",
      flows: [],
      isReadable: true,
      updatedBy: null,
      updatedAt: "2026-11-30T00:00:00.000Z",
      lastUsedAt: null,
      ...more,
    };
    this.credentials.push(credential);
    return credential;
  }

  fill(): void {
    this.add("CRM_TOKEN", {
      hosts: ["crm.example.com", "*.crm.example.com"],
      lastUsedAt: new Date(Date.now() - 3_600_000).toISOString(),
      flows: [{ id: "11111111-1111-4111-8111-111111111111", name: "File a ticket" }],
    });
    this.add("SMTP_PASSWORD", { isReadable: false, lastCharacters: null });
    this.add("WEATHER_KEY", { hosts: ["weather.example"], lastCharacters: null });
  }

  /** Returns true if it answered the call. */
  handle(call: FakeCall): boolean {
    const { method, path, body, reply, json } = call;
    if (!path.startsWith("/credentials")) return false;
    const at = matcher(call);
    if (method !== "GET") this.sent.push({ method, path, body });
    if (at("GET", /^\/credentials$/))
      return answered(reply(listCredentials, { credentials: this.credentials }));
    if (at("POST", /^\/credentials$/)) {
      const { name, owner, hosts } = body as Pick<CredentialWire, "name" | "hosts"> & {
        owner: CredentialOwner;
      };
      if (this.credentials.some((each) => each.name === name))
        return answered(json({ error: `There is already a credential named ${name} here.` }, 409));
      const { id } = this.add(name, { owner, hosts, lastCharacters: null });
      return answered(reply(createCredential, { id }));
    }
    const credential = this.credentials.find(({ id }) => path.includes(id));
    if (!credential) return answered(json({ error: "This credential doesn't exist." }, 404));
    if (at("PUT", /\/value$/)) return answered(reply(replaceCredentialValue, { success: true }));
    if (at("PUT", /\/hosts$/)) {
      credential.hosts = body.hosts as string[];
      return answered(reply(updateCredentialHosts, { success: true }));
    }
    this.credentials = this.credentials.filter((each) => each !== credential);
    return answered(reply(deleteCredential, { success: true }));
  }
}
