import { matchUsers, servicePrincipal } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { Connection } from "../connection/connection.entity.ts";
import type { AccessList } from "../connector/connector.ts";

const scope = { principal: servicePrincipal, workspace: null };
/** The contract's limit. */
const namesAtOnce = 10_000;
/** A change of people meanwhile reaches these documents with the next check. */
const recentMs = 60_000;
const maxRecent = 50;

type Matching = Pick<Connection, "mirrorPermissions" | "matchAccounts">;

/** The people of an access list who are known here. */
interface Matched {
  /** Ids of the users who may see it, in order; null: everyone. Nobody while it isn't known. */
  readersOf(access: AccessList | null): number[] | null;
  /** People at the source who are nobody here. */
  unmatched: number;
}

/** Names a list of readers, so that two can be compared; null: everyone. */
export const audienceOf = (readers: readonly number[] | null): string | null =>
  readers === null ? null : readers.join();

const fold = (name: string): string => name.trim().toLowerCase();

/**
 * Maps people at a source to users: by e-mail address, and by account name only if the connection
 * says so, because the same name may be somebody else's.
 */
@Injectable()
export class PeopleMatcher {
  /** Readers of lists that came up lately, since most items of a source share theirs. */
  private readonly recent = new Map<string, { readers: number[] | null; until: number }>();

  constructor(private readonly client: RequestClient) {}

  /** Ids of the users who may see it, in order; null: everyone. Nobody while it isn't known. */
  async listReaders(access: AccessList | null, matching: Matching): Promise<number[] | null> {
    if (!matching.mirrorPermissions || access === "everyone") return null;
    const key = JSON.stringify([matching.matchAccounts, access]);
    const known = this.recent.get(key);
    if (known !== undefined && known.until > Date.now()) return known.readers;
    const readers = (await this.match([access], matching)).readersOf(access);
    if (this.recent.size >= maxRecent) this.recent.clear();
    this.recent.set(key, { readers, until: Date.now() + recentMs });
    return readers;
  }

  async match(
    lists: readonly (AccessList | null)[],
    { mirrorPermissions, matchAccounts }: Matching,
  ): Promise<Matched> {
    if (!mirrorPermissions) return { readersOf: () => null, unmatched: 0 };
    const emails = new Set<string>();
    const accounts = new Set<string>();
    for (const list of lists) {
      if (!isList(list)) continue;
      for (const email of list.emails) emails.add(fold(email));
      for (const account of list.accounts) accounts.add(fold(account));
    }
    const byEmail = new Map<string, number>();
    const byName = new Map<string, number>();
    for (const part of cut([...emails]))
      for (const { id, email } of await this.find(part, []))
        if (email !== null) byEmail.set(email, id);
    if (matchAccounts)
      for (const part of cut([...accounts]))
        for (const { id, username } of await this.find([], part)) byName.set(username, id);
    return {
      readersOf: (list) => {
        if (list === "everyone") return null;
        if (!isList(list)) return [];
        const readers = [
          ...list.emails.map((email) => byEmail.get(fold(email))),
          ...list.accounts.map((account) => byName.get(fold(account))),
        ];
        return [...new Set(readers.flatMap((id) => id ?? []))].sort((a, b) => a - b);
      },
      // Somebody with an e-mail has an account too, if accounts are told at all.
      unmatched: Math.max(
        0,
        Math.max(emails.size, accounts.size) -
          new Set([...byEmail.values(), ...byName.values()]).size,
      ),
    };
  }

  private async find(emails: string[], usernames: string[]) {
    return (await this.client.request(matchUsers, { emails, usernames }, { scope })).users;
  }
}

const isList = (access: AccessList | null): access is Exclude<AccessList, "everyone"> =>
  typeof access === "object" && access !== null;

const cut = (names: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(names.length / namesAtOnce) }, (_, n) =>
    names.slice(n * namesAtOnce, (n + 1) * namesAtOnce),
  );
