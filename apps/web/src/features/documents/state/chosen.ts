import type { DocumentSelection, LibraryFilter } from "@carrel/contracts";

/** The document fields a selection needs. */
export interface ChosenDocument {
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
export interface Exceptions {
  documents: ReadonlyMap<string, string | null>;
  folders: ReadonlySet<string>;
}
/**
 * A selection in a list: single documents, whole folders with everything below them, or everything
 * a filter matches minus exclusions. The last two list no documents, so selecting 100,000 is as
 * fast as selecting one.
 */
export interface Chosen {
  documents: ReadonlyMap<string, ChosenDocument>;
  folders: ReadonlySet<string>;
  all: { filter: Partial<LibraryFilter>; total: number; except?: Exceptions } | null;
}
export const nothing: Chosen = { documents: new Map(), folders: new Set(), all: null };

export const isEmpty = (chosen: Chosen): boolean =>
  chosen.all === null && chosen.documents.size === 0 && chosen.folders.size === 0;

/** The one of `folders` that is, or contains, `folder`. */
const folderAmong = (folders: ReadonlySet<string>, folder: string): string | null => {
  for (let name = folder; ; name = name.slice(0, name.lastIndexOf("/"))) {
    if (folders.has(name)) return name;
    if (!name.includes("/")) return null;
  }
};
/** The selected folder that is, or contains, `folder`. */
export const chosenFolderOf = (chosen: Chosen, folder: string): string | null =>
  folderAmong(chosen.folders, folder);
const noExceptions: Exceptions = { documents: new Map(), folders: new Set() };
const exceptionsOf = (chosen: Chosen): Exceptions => chosen.all?.except ?? noExceptions;
/** "All" without exclusions. */
export const isWhole = (chosen: Chosen): boolean =>
  chosen.all !== null &&
  exceptionsOf(chosen).documents.size + exceptionsOf(chosen).folders.size === 0;
export function holds(chosen: Chosen, documentId: string, folder?: string): boolean {
  if (chosen.all)
    return (
      !exceptionsOf(chosen).documents.has(documentId) &&
      (folder === undefined || folderAmong(exceptionsOf(chosen).folders, folder) === null)
    );
  return (
    chosen.documents.has(documentId) ||
    (folder !== undefined && chosenFolderOf(chosen, folder) !== null)
  );
}
/**
 * Whether a folder is selected; with "all" also true when something below it is excluded, which
 * shows as partly checked.
 */
export const holdsFolder = (chosen: Chosen, folder: string): boolean =>
  chosen.all
    ? folderAmong(exceptionsOf(chosen).folders, folder) === null
    : chosenFolderOf(chosen, folder) !== null;

/**
 * Whether this folder is, or lies in, a folder that is selected (with "all": excluded) as a whole.
 */
export const goesWithFolder = (chosen: Chosen, folder: string): boolean =>
  folderAmong(chosen.all ? exceptionsOf(chosen).folders : chosen.folders, folder) !== null;

const withExceptions = (chosen: Chosen, except: Exceptions): Chosen =>
  chosen.all === null || except.documents.size > idsAtOnce || except.folders.size > foldersAtOnce
    ? chosen
    : { ...chosen, all: { ...chosen.all, except } };
/** Excludes a document from "all" or includes it again. Has no effect inside an excluded folder. */
export function turnException(chosen: Chosen, documentId: string, folder: string | null): Chosen {
  const { documents, folders } = exceptionsOf(chosen);
  if (folder !== null && folderAmong(folders, folder) !== null) return chosen;
  const next = new Map(documents);
  if (!next.delete(documentId)) next.set(documentId, folder);
  return withExceptions(chosen, { documents: next, folders });
}
/** Excludes a folder from "all", replacing the exclusions below it, or includes it again. */
export function turnFolderException(chosen: Chosen, folder: string): Chosen {
  const { documents, folders } = exceptionsOf(chosen);
  const next = new Set(folders);
  if (next.delete(folder)) return withExceptions(chosen, { documents, folders: next });
  if (folderAmong(folders, folder) !== null) return chosen;
  const isBelow = (name: string | null): boolean =>
    name === folder || (name?.startsWith(`${folder}/`) ?? false);
  return withExceptions(chosen, {
    documents: new Map([...documents].filter(([, of]) => !isBelow(of))),
    folders: new Set([...folders].filter((name) => !isBelow(name))).add(folder),
  });
}

export function withDocuments(
  chosen: Chosen,
  documents: readonly ChosenDocument[],
  on: boolean,
): Chosen {
  const next = new Map(chosen.documents);
  for (const document of documents) {
    if (on) next.set(document.documentId, document);
    else next.delete(document.documentId);
  }
  return { documents: next, folders: chosen.folders, all: null };
}

/** Selecting a folder replaces the selected folders below it. */
export function withFolder(chosen: Chosen, folder: string, on: boolean): Chosen {
  const folders = new Set(
    [...chosen.folders].filter((name) => name !== folder && !name.startsWith(`${folder}/`)),
  );
  if (on) folders.add(folder);
  return { documents: chosen.documents, folders, all: null };
}

export function countChosen(chosen: Chosen, deepCount: (folder: string) => number): number {
  const count = ({
    documents,
    folders,
  }: Pick<Chosen, "folders"> & { documents: ReadonlyMap<string, unknown> }): number =>
    documents.size + [...folders].reduce((sum, folder) => sum + deepCount(folder), 0);
  return chosen.all ? Math.max(0, chosen.all.total - count(exceptionsOf(chosen))) : count(chosen);
}

/** Most IDs and excluded folders per request (contract). */
export const idsAtOnce = 5_000;
const foldersAtOnce = 200;

/** The selection as the server expects it, one request each. */
export function selectionsOf(chosen: Chosen): DocumentSelection[] {
  if (chosen.all) {
    const { documents, folders } = exceptionsOf(chosen);
    return [
      {
        filter: completeFilter(chosen.all.filter),
        ...(isWhole(chosen)
          ? {}
          : { except: { documentIds: [...documents.keys()], folders: [...folders] } }),
      },
    ];
  }
  const ids = [...chosen.documents.keys()];
  const selections: DocumentSelection[] = [...chosen.folders].map((folder) => ({
    filter: completeFilter({ folder, deep: true }),
  }));
  for (let at = 0; at < ids.length; at += idsAtOnce)
    selections.push({ documentIds: ids.slice(at, at + idsAtOnce) });
  return selections;
}
export const completeFilter = (filter: Partial<LibraryFilter>): LibraryFilter => ({
  deep: false,
  search: "",
  kinds: [],
  tags: [],
  ...filter,
});
