import { CarrelError } from "@carrel/contracts";
import type { AccessList } from "../connector/connector.ts";

interface Person {
  account: string;
  email: string | null;
}

/** People whose e-mail is looked up for one list, each by a request. */
const maxLookups = 300;
const parallelLookups = 4;

/**
 * Who may see something: accounts, and e-mails where the server shows them. Nobody if the list
 * can't be read.
 */
export async function readAccess(
  list: () => Promise<Person[]>,
  emailOf?: (account: string) => Promise<string | null>,
): Promise<AccessList> {
  let people: Person[];
  try {
    people = await list();
  } catch (error) {
    if (isRefusal(error)) return { emails: [], accounts: [] };
    throw error;
  }
  const unknown = emailOf ? people.filter(({ email }) => !email).slice(0, maxLookups) : [];
  const found = people.flatMap(({ email }) => email || []);
  const lookUp = async (): Promise<void> => {
    for (let person = unknown.shift(); person; person = unknown.shift()) {
      const email = await emailOf!(person.account).catch((error: unknown) => {
        if (isRefusal(error)) return null;
        throw error;
      });
      if (email) found.push(email);
    }
  };
  await Promise.all(Array.from({ length: parallelLookups }, lookUp));
  return {
    emails: [...new Set(found)].toSorted(),
    accounts: [...new Set(people.map(({ account }) => account))].toSorted(),
  };
}

const isRefusal = (error: unknown): boolean =>
  error instanceof CarrelError &&
  (error.code === "source.denied" || error.code === "source.missing");

const keptMs = 3_600_000;
const maxKept = 10_000;

/** Public e-mails of accounts, which rarely change; each is asked for at most once an hour. */
class KnownEmails {
  private readonly known = new Map<string, { email: Promise<string | null>; until: number }>();

  get(key: string, ask: () => Promise<string | null>): Promise<string | null> {
    const known = this.known.get(key);
    if (known !== undefined && known.until > Date.now()) return known.email;
    const email = ask();
    this.known.delete(key);
    this.known.set(key, { email, until: Date.now() + keptMs });
    email.catch(() => this.known.delete(key));
    if (this.known.size > maxKept) this.known.delete(this.known.keys().next().value!);
    return email;
  }
}

export const emails = new KnownEmails();
