import type { DocumentSelection } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { readCurrentUser } from "../../../lib/current-user.ts";
import { keys, watchStored } from "../../../lib/session-storage.ts";
import { createStore, useStore } from "../../../lib/store.ts";
import {
  completeFilter,
  countSelected,
  toDocumentSelections,
  type SelectedDocuments,
} from "./selected-documents.ts";

/**
 * Documents moved to a workspace and waiting for "Save and embed". They survive navigation and
 * reloads.
 */
export interface Staged {
  /** Single documents: names by ID. */
  documents: Record<string, string>;
  /** Folders, or everything a filter matches. */
  filters: StagedFilter[];
}
export interface StagedFilter {
  selection: DocumentSelection;
  name: string;
  count: number;
}

/**
 * Stages a library selection without documents that failed to parse. `deepCount` counts a folder
 * including its subfolders.
 */
export const toStaged = (
  selected: SelectedDocuments,
  deepCount: (folder: string) => number,
  allName: string,
): Staged => ({
  documents: Object.fromEntries(
    [...selected.documents.values()]
      .filter((document) => !document.failed)
      .map(({ documentId, title }) => [documentId, title]),
  ),
  filters: selected.all
    ? toDocumentSelections(selected).map((selection) => ({
        selection,
        name: allName,
        count: countSelected(selected, deepCount),
      }))
    : [...selected.folders].map((folder) => ({
        selection: { filter: completeFilter({ folder, deep: true }) },
        name: folder,
        count: deepCount(folder),
      })),
});

/* Staged documents are kept in session storage by ID, for the person who staged them. */
const storageKey = "carrel_staged_documents";
/** Most entries kept in storage; beyond that, leaving the page asks for confirmation. */
const maxStored = 5_000;
const maxNameLength = 120;

type AllStaged = Record<string, Staged>;
const userId = (): number | null => readCurrentUser()?.id ?? null;

/** Parses the stored text; empty if it is invalid or belongs to someone else. */
export function parseStaged(text: string | null, owner: number | null): AllStaged {
  try {
    const stored = JSON.parse(text ?? "null") as { person?: unknown; staged?: unknown } | null;
    if (
      typeof stored !== "object" ||
      stored === null ||
      stored.person !== owner ||
      typeof stored.staged !== "object" ||
      stored.staged === null
    )
      return {};
    const isStaged = (value: unknown): value is Staged =>
      typeof value === "object" &&
      value !== null &&
      typeof (value as Staged).documents === "object" &&
      Array.isArray((value as Staged).filters);
    return Object.fromEntries(
      Object.entries(stored.staged).filter((entry): entry is [string, Staged] =>
        isStaged(entry[1]),
      ),
    );
  } catch {
    return {}; // truncated or from another version
  }
}
/** Serializes what is staged; null if there is too much to store. */
export function serializeStaged(all: AllStaged, owner: number | null): string | null {
  if (
    Object.values(all).reduce(
      (sum, { documents, filters }) => sum + Object.keys(documents).length + filters.length,
      0,
    ) > maxStored
  )
    return null;
  const short = Object.fromEntries(
    Object.entries(all).map(([slug, { documents, filters }]) => [
      slug,
      {
        filters,
        documents: Object.fromEntries(
          Object.entries(documents).map(([id, name]) => [id, clipText(name, maxNameLength)]),
        ),
      },
    ]),
  );
  return JSON.stringify({ person: owner, staged: short });
}

function loadStaged(): AllStaged {
  try {
    return parseStaged(sessionStorage.getItem(storageKey), userId());
  } catch {
    return {}; // storage is blocked (private windows), so nothing was stored
  }
}
const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
function storeStaged(all: AllStaged): void {
  const isEmpty = Object.keys(all).length === 0;
  let isStored = isEmpty;
  try {
    const text = isEmpty ? null : serializeStaged(all, userId());
    if (text === null) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, text);
    isStored ||= text !== null;
  } catch {
    // Blocked or full: kept in memory only, so leaving asks for confirmation.
  }
  if (isStored) removeEventListener("beforeunload", warn);
  else addEventListener("beforeunload", warn);
}

const none: Staged = { documents: {}, filters: [] };
const staged = createStore<AllStaged>(loadStaged());
let owner = userId();
staged.subscribe(() => storeStaged(staged.get()));
// The next person to sign in on this browser must not see the names.
watchStored(keys.user, () => {
  if (userId() === owner) return;
  owner = userId();
  staged.set(() => ({}));
});

/** Adds to what is staged, without duplicates. */
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
/** Unstages one document by ID, or one folder or filter. */
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
