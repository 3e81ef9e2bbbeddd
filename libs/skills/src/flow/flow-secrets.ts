import { isCredentialHost, type CredentialOwner } from "@carrel/contracts";
import { blockFault, type BlockFlow } from "./block-flow.ts";
import { Redactor } from "./redactor.ts";

/** Where the values of credentials come from. */
export interface CredentialStore {
  /**
   * Those that the owner may use, by name; others are left out.
   */
  open(
    owner: CredentialOwner,
    names: readonly string[],
  ): Promise<
    ReadonlyMap<
      string,
      {
        id: string;
        hosts: readonly string[];
        /** Null if it can't be decrypted. */
        value: string | null;
      }
    >
  >;
  noteUse(ids: readonly string[]): Promise<void>;
}

/** The credentials that one run of a flow sends. */
export class FlowSecrets {
  private readonly redactor = new Redactor();

  constructor(private readonly store: CredentialStore) {}

  /**
   * The values for a request. All credentials of the flow are kept out of what its blocks return
   * from now on. Throws ToolError if the URL may not get one of them.
   */
  async open(
    block: string,
    { id: flowId, credentials: known }: BlockFlow,
    { needed, url }: { needed: readonly string[]; url: URL },
  ): Promise<ReadonlyMap<string, string>> {
    if (known.length === 0) return new Map();
    const found = await this.store.open(
      flowId === null ? { kind: "instance" } : { kind: "flow", id: flowId },
      known,
    );
    for (const { value } of found.values()) if (value !== null) this.redactor.add(value);
    const opened = needed.map((name) => {
      const credential = found.get(name);
      if (credential === undefined)
        throw blockFault(block, { code: "credential.missing", params: { name } });
      if (!isCredentialHost(credential.hosts, url))
        throw blockFault(block, {
          code: "credential.host-refused",
          params: { name, host: url.host },
        });
      if (credential.value === null)
        throw blockFault(block, { code: "credential.unreadable", params: { name } });
      return { id: credential.id, name, value: credential.value };
    });
    if (opened.length > 0) await this.store.noteUse(opened.map(({ id }) => id));
    return new Map(opened.map(({ name, value }) => [name, value]));
  }

  /** What others returned, without the values of credentials. */
  redact<T>(value: T): T {
    return this.redactor.redactWithin(value);
  }
}
