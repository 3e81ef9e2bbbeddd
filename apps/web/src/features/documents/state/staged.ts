import type { DocumentSelection } from "@carrel/contracts";
import { readCurrentUser } from "../../../lib/current-user.ts";
import { keys, watchStored } from "../../../lib/session-storage.ts";
import { createStore, useStore } from "../../../lib/store.ts";
import { completeFilter, countChosen, selectionsOf, type Chosen } from "./chosen.ts";

/**
 * Documents that were moved to a workspace and wait for Save and embed. They wait while one looks
 * at other pages, and when the page is loaded again.
 */
export interface Staged {
  /** Single documents by id, with their names. */ documents: Record<string, string>;
  /** Folders, or all that a filter finds. */ filters: StagedFilter[];
}
export interface StagedFilter {
  selection: DocumentSelection;
  name: string;
  count: number;
}

/**
 * What is chosen in the library, ready to wait: without documents that could not be read.
 * `deepCount`: of a folder with all below it.
 */
export const stagedOf = (
  chosen: Chosen,
  deepCount: (folder: string) => number,
  allName: string,
): Staged => ({
  documents: Object.fromEntries(
    [...chosen.documents.values()]
      .filter((document) => !document.failed)
      .map(({ documentId, title }) => [documentId, title]),
  ),
  filters: chosen.all
    ? selectionsOf(chosen).map((selection) => ({
        selection,
        name: allName,
        count: countChosen(chosen, deepCount),
      }))
    : [...chosen.folders].map((folder) => ({
        selection: { filter: completeFilter({ folder, deep: true }) },
        name: folder,
        count: deepCount(folder),
      })),
});

/* This tab keeps what waits, by ids, for the person who moved it. */
const place = "carrel_staged_documents";
/** Most documents that are kept by name; of more, leaving the page asks. */
const mostKept = 5_000;
const longestName = 120;

type AllStaged = Record<string, Staged>;
const person = (): number | null => readCurrentUser()?.id ?? null;

/** What a text holds of it, nothing where it is none of ours or another person's. */
export function readKept(text: string | null, owner: number | null): AllStaged {
  try {
    const kept = JSON.parse(text ?? "null") as { person?: unknown; staged?: unknown } | null;
    if (
      typeof kept !== "object" ||
      kept === null ||
      kept.person !== owner ||
      typeof kept.staged !== "object" ||
      kept.staged === null
    )
      return {};
    const isStaged = (value: unknown): value is Staged =>
      typeof value === "object" &&
      value !== null &&
      typeof (value as Staged).documents === "object" &&
      Array.isArray((value as Staged).filters);
    return Object.fromEntries(
      Object.entries(kept.staged).filter((entry): entry is [string, Staged] => isStaged(entry[1])),
    );
  } catch {
    return {}; // cut short, or of another version
  }
}
/** What is kept, null for more than a tab should hold. */
export function writeKept(all: AllStaged, owner: number | null): string | null {
  if (
    Object.values(all).reduce(
      (sum, { documents, filters }) => sum + Object.keys(documents).length + filters.length,
      0,
    ) > mostKept
  )
    return null;
  const short = Object.fromEntries(
    Object.entries(all).map(([slug, { documents, filters }]) => [
      slug,
      {
        filters,
        documents: Object.fromEntries(
          Object.entries(documents).map(([id, name]) => [id, name.slice(0, longestName)]),
        ),
      },
    ]),
  );
  return JSON.stringify({ person: owner, staged: short });
}

function load(): AllStaged {
  try {
    return readKept(sessionStorage.getItem(place), person());
  } catch {
    return {}; // storage is refused (private windows): then nothing was kept
  }
}
const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
function keep(all: AllStaged): void {
  const isEmpty = Object.keys(all).length === 0;
  let isKept = isEmpty;
  try {
    const text = isEmpty ? null : writeKept(all, person());
    if (text === null) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, text);
    isKept ||= text !== null;
  } catch {
    // refused or full: it lives as long as this page, and leaving asks
  }
  if (isKept) removeEventListener("beforeunload", warn);
  else addEventListener("beforeunload", warn);
}

const none: Staged = { documents: {}, filters: [] };
const staged = createStore<AllStaged>(load());
let owner = person();
staged.subscribe(() => keep(staged.get()));
// Who signs in next at this browser must not find the names.
watchStored(keys.user, () => {
  if (person() === owner) return;
  owner = person();
  staged.set(() => ({}));
});

/** What is there twice waits once. */
export const stage = (slug: string, more: Staged): void =>
  staged.set((all) => {
    const before = all[slug] ?? none;
    const known = new Set(before.filters.map((each) => JSON.stringify(each.selection)));
    const next = {
      documents: { ...before.documents, ...more.documents },
      filters: [
        ...before.filters,
        ...more.filters.filter((each) => !known.has(JSON.stringify(each.selection))),
      ],
    };
    return Object.keys(next.documents).length + next.filters.length === 0
      ? all
      : { ...all, [slug]: next };
  });
export const unstage = (slug: string): void => staged.set(({ [slug]: _, ...rest }) => rest);
/** Takes one out again: a document by its id, or a folder. */
export const unstageOne = (slug: string, which: string | StagedFilter): void =>
  staged.set((all) => {
    const before = all[slug];
    if (!before) return all;
    const { [slug]: _, ...rest } = all;
    const next = {
      documents: Object.fromEntries(
        Object.entries(before.documents).filter(([id]) => id !== which),
      ),
      filters: before.filters.filter((each) => each !== which),
    };
    return Object.keys(next.documents).length + next.filters.length === 0
      ? rest
      : { ...rest, [slug]: next };
  });
export const useStaged = (slug: string): Staged => useStore(staged, (all) => all[slug] ?? none);
