import type { AccessList } from "../../connector/connector.ts";
import { nullIfOutOfReach } from "../../connector/json-api.ts";
import { Memo } from "../../connector/memo.ts";
import type { ConfluenceApi, ConfluenceItem, Person, ReaderList } from "./confluence-api.ts";

const nobody: AccessList = { emails: [], accounts: [] };

/**
 * Who may read a page: those whom its own restrictions, those of every page that it is in, and the
 * space's permissions all name. Lists that can't be read name nobody, so that only the importer
 * sees the page.
 */
export class ConfluenceAccess {
  private readonly lists = new Memo<ReaderList | null>();
  private readonly members = new Memo<Person[]>();
  private readonly space = new Memo<"everyone" | ReaderList | null>();

  constructor(private readonly api: ConfluenceApi) {}

  async of(item: ConfluenceItem): Promise<AccessList> {
    const pageId = item.pageId ?? item.id;
    const kind = item.pageId ? (item.pageKind ?? "page") : item.kind;
    const page: ConfluenceItem = { ...item, kind, id: pageId };
    const around = await this.api.ancestorsOf(page).catch(nullIfOutOfReach);
    if (around === null) return nobody;
    const lists = await Promise.all([...around, pageId].map((id) => this.readersOf(id)));
    if (lists.includes(null)) return nobody;
    const restricting = lists.filter(
      (list) => list !== null && list.people.length + list.groups.length > 0,
    ) as ReaderList[];
    const space = await this.spaceReaders();
    if (restricting.length === 0 && space === "everyone") return "everyone";
    // People whom a page names can see its space too; only if nothing names them it must be known.
    if (space === null && restricting.length === 0) return nobody;
    if (space !== null && space !== "everyone") restricting.push(space);
    const named = await Promise.all(restricting.map((list) => this.peopleOf(list)));
    return toAccess(
      named.reduce((some, others) => {
        const accounts = new Set(others.map(({ account }) => account));
        return some.filter(({ account }) => accounts.has(account));
      }),
      named.flat(),
    );
  }

  private readersOf(contentId: string): Promise<ReaderList | null> {
    return this.lists.get(contentId, () => this.api.readersOf(contentId));
  }

  private spaceReaders(): Promise<"everyone" | ReaderList | null> {
    return this.space.get("", () => this.readSpace());
  }

  private async readSpace(): Promise<"everyone" | ReaderList | null> {
    if (await this.api.isPublic()) return "everyone";
    return this.api.spaceReaders();
  }

  private async peopleOf({ people, groups }: ReaderList): Promise<Person[]> {
    const members = await Promise.all(
      groups.map((group) => this.members.get(group, () => this.api.membersOf(group))),
    );
    return [...people, ...members.flat()];
  }
}

/** Only some of the lists name the people's addresses. */
function toAccess(people: readonly Person[], known: readonly Person[]): AccessList {
  const accounts = new Set(people.map(({ account }) => account));
  const emails = known.flatMap(({ account, email }) =>
    email !== null && accounts.has(account) ? [email] : [],
  );
  return { emails: [...new Set(emails)], accounts: [...accounts] };
}
