import type { DocumentSelection, LibraryFilter } from "@carrel/contracts";

/** The fields of a document that a selection needs. */
export interface SelectedDocument {
  documentId: string;
  title: string;
  docpath: string | null;
  tags: string[];
  failed: boolean;
  hasOriginal: boolean;
  pinned: boolean;
}

/**
 * Exclusions from "all": documents, each with its folder (null where it doesn't matter), and
 * folders with everything below them.
 */
export interface Exclusions {
  documents: ReadonlyMap<string, string | null>;
  folders: ReadonlySet<string>;
}
/**
 * A selection in a list: single documents, whole folders with everything below them, or everything
 * a filter matches minus exclusions. The last two list no documents, so selecting 100,000 is as
 * fast as selecting one.
 */
export interface SelectedDocuments {
  documents: ReadonlyMap<string, SelectedDocument>;
  folders: ReadonlySet<string>;
  all: { filter: Partial<LibraryFilter>; total: number; except?: Exclusions } | null;
}
export const emptySelection: SelectedDocuments = {
  documents: new Map(),
  folders: new Set(),
  all: null,
};

export const isEmpty = (selected: SelectedDocuments): boolean =>
  selected.all === null && selected.documents.size === 0 && selected.folders.size === 0;

/** The one of `folders` that is, or contains, `folder`. */
const containingFolder = (folders: ReadonlySet<string>, folder: string): string | null => {
  for (let name = folder; ; name = name.slice(0, name.lastIndexOf("/"))) {
    if (folders.has(name)) return name;
    if (!name.includes("/")) return null;
  }
};
/** The selected folder that is, or contains, `folder`. */
export const selectedFolderOf = (selected: SelectedDocuments, folder: string): string | null =>
  containingFolder(selected.folders, folder);
const noExclusions: Exclusions = { documents: new Map(), folders: new Set() };
const exclusionsOf = (selected: SelectedDocuments): Exclusions =>
  selected.all?.except ?? noExclusions;
/** "All" without exclusions. */
export const isEverything = (selected: SelectedDocuments): boolean =>
  selected.all !== null &&
  exclusionsOf(selected).documents.size + exclusionsOf(selected).folders.size === 0;
export function isSelected(
  selected: SelectedDocuments,
  documentId: string,
  folder?: string,
): boolean {
  if (selected.all)
    return (
      !exclusionsOf(selected).documents.has(documentId) &&
      (folder === undefined || containingFolder(exclusionsOf(selected).folders, folder) === null)
    );
  return (
    selected.documents.has(documentId) ||
    (folder !== undefined && selectedFolderOf(selected, folder) !== null)
  );
}
/**
 * Whether a folder is selected; with "all" also true when something below it is excluded, which
 * shows as partly checked.
 */
export const isFolderSelected = (selected: SelectedDocuments, folder: string): boolean =>
  selected.all
    ? containingFolder(exclusionsOf(selected).folders, folder) === null
    : selectedFolderOf(selected, folder) !== null;

/**
 * Whether this folder is, or is inside, a folder that is selected (with "all": excluded) as a
 * whole.
 */
export const isInSelectedFolder = (selected: SelectedDocuments, folder: string): boolean =>
  containingFolder(selected.all ? exclusionsOf(selected).folders : selected.folders, folder) !==
  null;

const withExclusions = (selected: SelectedDocuments, except: Exclusions): SelectedDocuments =>
  selected.all === null ||
  except.documents.size > maxIdsPerRequest ||
  except.folders.size > maxExcludedFolders
    ? selected
    : { ...selected, all: { ...selected.all, except } };
/** Excludes a document from "all" or includes it again. Has no effect inside an excluded folder. */
export function toggleExclusion(
  selected: SelectedDocuments,
  documentId: string,
  folder: string | null,
): SelectedDocuments {
  const { documents, folders } = exclusionsOf(selected);
  if (folder !== null && containingFolder(folders, folder) !== null) return selected;
  const next = new Map(documents);
  if (!next.delete(documentId)) next.set(documentId, folder);
  return withExclusions(selected, { documents: next, folders });
}
/** Excludes a folder from "all", replacing the exclusions below it, or includes it again. */
export function toggleFolderExclusion(
  selected: SelectedDocuments,
  folder: string,
): SelectedDocuments {
  const { documents, folders } = exclusionsOf(selected);
  const next = new Set(folders);
  if (next.delete(folder)) return withExclusions(selected, { documents, folders: next });
  if (containingFolder(folders, folder) !== null) return selected;
  const isBelow = (name: string | null): boolean =>
    name === folder || (name?.startsWith(`${folder}/`) ?? false);
  return withExclusions(selected, {
    documents: new Map([...documents].filter(([, of]) => !isBelow(of))),
    folders: new Set([...folders].filter((name) => !isBelow(name))).add(folder),
  });
}

export function withDocuments(
  selected: SelectedDocuments,
  documents: readonly SelectedDocument[],
  on: boolean,
): SelectedDocuments {
  const next = new Map(selected.documents);
  for (const document of documents) {
    if (on) next.set(document.documentId, document);
    else next.delete(document.documentId);
  }
  return { documents: next, folders: selected.folders, all: null };
}

/** Selecting a folder replaces the selected folders below it. */
export function withFolder(
  selected: SelectedDocuments,
  folder: string,
  on: boolean,
): SelectedDocuments {
  const folders = new Set(
    [...selected.folders].filter((name) => name !== folder && !name.startsWith(`${folder}/`)),
  );
  if (on) folders.add(folder);
  return { documents: selected.documents, folders, all: null };
}

export function countSelected(
  selected: SelectedDocuments,
  deepCount: (folder: string) => number,
): number {
  const count = ({
    documents,
    folders,
  }: Pick<SelectedDocuments, "folders"> & { documents: ReadonlyMap<string, unknown> }): number =>
    documents.size + [...folders].reduce((sum, folder) => sum + deepCount(folder), 0);
  return selected.all
    ? Math.max(0, selected.all.total - count(exclusionsOf(selected)))
    : count(selected);
}

/** Maximum IDs and excluded folders per request (contract). */
export const maxIdsPerRequest = 5_000;
const maxExcludedFolders = 200;

/** The selection as the server expects it, one request each. */
export function toDocumentSelections(selected: SelectedDocuments): DocumentSelection[] {
  if (selected.all) {
    const { documents, folders } = exclusionsOf(selected);
    return [
      {
        filter: completeFilter(selected.all.filter),
        ...(isEverything(selected)
          ? {}
          : { except: { documentIds: [...documents.keys()], folders: [...folders] } }),
      },
    ];
  }
  const ids = [...selected.documents.keys()];
  const selections: DocumentSelection[] = [...selected.folders].map((folder) => ({
    filter: completeFilter({ folder, deep: true }),
  }));
  for (let at = 0; at < ids.length; at += maxIdsPerRequest)
    selections.push({ documentIds: ids.slice(at, at + maxIdsPerRequest) });
  return selections;
}
export const completeFilter = (filter: Partial<LibraryFilter>): LibraryFilter => ({
  deep: false,
  search: "",
  kinds: [],
  tags: [],
  ...filter,
});
